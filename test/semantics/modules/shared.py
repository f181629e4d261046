"""One module in two places, called three times: calls add up under its first name."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.again = self.first
        self.stack = nn.Sequential(self.first, nn.ReLU(), self.first)

    def forward(self):
        x = torch.linspace(-1, 1, 6).view(2, 3)
        return mix(self.stack(x) + self.again(x))


def build():
    return Model()


def step(model):
    return model()

"""An input that requires a gradient shows it; the parameters are none the wiser."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return mix(self.fc(x))


def build():
    return Model()


def step(model):
    x = torch.linspace(-1, 1, 6).view(2, 3).requires_grad_()
    y = x * 2
    return model(y)

"""The input of a linear layer is kept for its weight's gradient; an edit of it is refused."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self):
        x = torch.linspace(-1, 1, 6).view(2, 3) * self.fc.bias.sum()
        y = self.fc(x)
        x.zero_()
        return mix(y)


def build():
    return Model()


def step(model):
    return model()

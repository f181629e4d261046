"""Frozen parameters get no gradient, and the gradient still passes through them."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.frozen = nn.Linear(3, 3).requires_grad_(False)
        self.last = nn.Linear(3, 2)
        self.last.bias.requires_grad = False

    def forward(self):
        x = torch.linspace(-1, 1, 6).view(2, 3)
        return mix(self.last(self.frozen(self.first(x)).relu()))


def build():
    return Model()


def step(model):
    return model()

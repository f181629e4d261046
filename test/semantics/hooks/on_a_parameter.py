"""A hook on a parameter sees the sum over its uses, and what it returns is the gradient."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))
        self.v = nn.Parameter(torch.tensor([0.5, 0.25, -1.0]))
        self.w.register_hook(lambda g: g / g.norm())

    def forward(self):
        return mix(self.w * self.v, self.w.exp(), self.v.sin())


def build():
    return Model()


def step(model):
    return model()

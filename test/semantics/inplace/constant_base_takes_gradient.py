"""A tensor without gradient begins to carry one when a part of it is overwritten."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))

    def forward(self):
        base = torch.zeros(2, 3)
        upper, lower = base[0], base[1]
        kept = base.exp()
        lower.copy_(self.w)
        return mix(base + 1, upper, lower * 2, kept)


def build():
    return Model()


def step(model):
    return model()

"""Parts of a chunk may be edited where no gradient is asked for."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 6))

    def forward(self):
        base = self.w.detach() * 2
        first, second = base.chunk(2)
        first.mul_(2)
        second.zero_()
        return mix(base * self.w, first)


def build():
    return Model()


def step(model):
    return model()

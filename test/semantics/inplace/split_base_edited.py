"""Parts of a split follow an edit of the base."""
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
        base = self.w * 2
        first, second = base.split(3)
        base.mul_(3)
        return mix(first + 1, second.exp())


def build():
    return Model()


def step(model):
    return model()

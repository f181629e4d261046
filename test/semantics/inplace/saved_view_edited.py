"""An edit through a view counts as an edit of what another view handed to backward."""
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
        y = base[:4].sin()
        base[2:].add_(1)
        return mix(y, base)


def build():
    return Model()


def step(model):
    return model()

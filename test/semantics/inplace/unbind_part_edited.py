"""A row that a loop over a tensor gives may not be edited: PyTorch refuses."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 6).view(2, 3))

    def forward(self):
        base = self.w * 2
        for row in base:
            row.add_(1)
        return mix(base)


def build():
    return Model()


def step(model):
    return model()

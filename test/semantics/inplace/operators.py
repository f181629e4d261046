"""Augmented assignment edits the tensor itself, for every operator."""
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
        h = self.w.clone()
        alias = h
        h += 2
        h -= self.w * 0.5
        h *= 1.5
        h /= 3
        k = torch.tensor([7, -7, 9])
        k //= 2
        k %= 3
        k <<= 1
        flags = k > 1
        flags |= k == 0
        flags &= k < 4
        flags ^= True
        return mix(alias, k, flags)


def build():
    return Model()


def step(model):
    return model()

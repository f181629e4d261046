"""int64 holds what float64 just holds; int32 wraps around."""
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
        big = torch.tensor([2**52, -(2**40), 3]) + 1
        narrow = torch.tensor([2**31 - 1, 5], dtype=torch.int32) + 1
        byte = torch.tensor([250, 5], dtype=torch.uint8) + 10
        return mix(self.w) + mix(big % 1000, narrow % 7, byte, -byte)


def build():
    return Model()


def step(model):
    return model()

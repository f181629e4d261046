"""Layers whose sizes the first call decides."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        last = nn.LazyLinear(2, bias=False)
        self.net = nn.Sequential(nn.LazyLinear(4), nn.LazyBatchNorm1d(), nn.Tanh(), last)
        self.net(torch.linspace(-1, 1, 6).view(2, 3))

    def forward(self):
        return mix(self.net(torch.linspace(-2, 1, 9).view(3, 3)))


def build():
    return Model()


def step(model):
    return model()

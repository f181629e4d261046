"""A shift of a tensor within itself: source and target share memory, and PyTorch refuses."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 5))

    def forward(self):
        h = self.w * 2
        h[1:] = h[:-1]
        return mix(h)


def build():
    return Model()


def step(model):
    return model()

"""Checkpoints of functions and of a row of layers."""
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(*(nn.Linear(4, 4) for _ in range(4)))

    def forward(self):
        x = torch.linspace(-1, 1, 8).view(2, 4)
        y = checkpoint_sequential(self.layers, 2, x, use_reentrant=False)
        return mix(checkpoint(lambda a, b: a * b.tanh(), y, x, use_reentrant=False))


def build():
    return Model()


def step(model):
    return model()

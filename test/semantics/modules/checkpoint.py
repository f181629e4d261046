"""Checkpointing changes no number, and counts nothing twice."""
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def forward(self):
        x = torch.linspace(-1, 1, 8).view(2, 4)
        for layer in self.layers:
            x = x + checkpoint(layer, x, use_reentrant=False).tanh()
        return mix(x)


def build():
    return Model()


def step(model):
    return model()

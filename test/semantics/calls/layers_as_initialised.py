"""The default initialisation of stock layers."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(5, 3), nn.Embedding(7, 3), nn.LayerNorm(3)])
        self.layers.append(nn.MultiheadAttention(4, 2))
        self.layers.append(nn.Conv1d(3, 2, 3))
        self.layers.append(nn.Linear(300, 40, bias=False))

    def forward(self):
        return mix(*self.parameters())


def build():
    return Model()


def step(model):
    return model()

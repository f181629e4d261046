"""Addition, relu's input and the mean keep nothing: edits after them are allowed."""
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
        h = self.w * 2
        y = h + 1
        z = h.relu()
        m = h.mean()
        h.mul_(5)
        y.add_(h)
        return mix(y, z, m, h)


def build():
    return Model()


def step(model):
    return model()

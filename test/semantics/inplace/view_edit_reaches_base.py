"""An edit of a view changes its base, values and gradients alike."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[1.0, -2.0, 3.0], [0.5, 4.0, -1.5]]))

    def forward(self):
        base = self.w * 2
        row = base[0]
        row.mul_(3)
        column = base[:, 1]
        column.add_(self.w[:, 0])
        return mix(base, row, column)


def build():
    return Model()


def step(model):
    return model()

"""With equal maxima, max over a dimension picks one, and amax and the full max share."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0], [-1.0, -1.0, -2.0]]))

    def forward(self):
        values, places = self.w.max(1)
        low = self.w.min(dim=0)
        shared = self.w.amax(1), self.w.amin(0), self.w.max(), self.w.min()
        return mix(values, places * values, low.values, low.indices, *shared)


def build():
    return Model()


def step(model):
    return model()

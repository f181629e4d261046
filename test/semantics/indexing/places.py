"""nonzero, where with one argument, argwhere and what is made from them."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[1.0, 0.0, 3.0], [0.0, 0.0, -2.0]]))

    def forward(self):
        rows, columns = torch.where(self.w != 0)
        places = self.w.nonzero()
        pairs = torch.nonzero(self.w > 0, as_tuple=True)
        return mix(self.w[rows, columns], places, self.w[pairs] * 2, torch.argwhere(self.w), rows)


def build():
    return Model()


def step(model):
    return model()

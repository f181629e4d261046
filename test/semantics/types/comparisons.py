"""Comparisons of mixed types, logic and bits."""
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
        i, flag = torch.tensor([1, 2, 3]), torch.tensor([True, False, True])
        ordered = i == 2.0, i < 2.5, self.w >= i, 2 > i, torch.eq(flag, i), self.w != self.w.round()
        logic = (
            flag & (i > 1), flag | ~flag, flag ^ True, torch.logical_and(i, flag),
            torch.logical_not(i),
        )
        bits = i & 1, i | 4, i ^ 3, ~i, i << 2, i >> 1, -i
        return mix(self.w, *ordered, *logic, *bits, flag * 2, torch.isclose(self.w, i * 1.0))


def build():
    return Model()


def step(model):
    return model()

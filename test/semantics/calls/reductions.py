"""Reductions over nothing, one axis, several, kept or not."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 2, 24).view(2, 3, 4))

    def forward(self):
        w = self.w
        sums = (
            w.sum(), w.sum(1), w.sum((0, -1)), w.sum(dim=-1, keepdim=True),
            torch.sum(w, [0, 1]), w.nansum(0),
        )
        means = (
            w.mean(), w.mean(-1), w.mean(dim=(1, 2), keepdim=True),
            torch.mean(w, 0), w.square().mean().sqrt(),
        )
        spread = w.var(), w.std(1), w.var((0, 2), unbiased=False), w.std(-1, keepdim=True)
        ends = (
            w.max(), w.amax((0, 1)), w.max(dim=2, keepdim=True)[0],
            w.min(0).values, w.aminmax(dim=1)[1],
        )
        return mix(*sums, *means, *spread, *ends, w.prod(1), w.norm(), w.median(), w.median(-1)[0])


def build():
    return Model()


def step(model):
    return model()

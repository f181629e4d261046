"""Loops, unpacking, zip and enumerate over tensors; negative indices of results."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 12).view(3, 4))

    def forward(self):
        a, b, c = self.w
        rows = [row * k for k, row in enumerate(self.w)]
        pairs = [x * y for x, y in zip(self.w, self.w.flip(0))]
        return mix(
            a * b, c, *rows, *pairs, self.w.unbind(1)[-1],
            list(self.w)[0], torch.stack(rows)[-1,
        ])


def build():
    return Model()


def step(model):
    return model()

"""An edit through a view of a view of a view, between other reads of the same memory."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 24).view(2, 3, 4))

    def forward(self):
        base = self.w + 0.5
        inner = base.transpose(0, 1)[1].flatten()[::2]
        before = base.sum(-1)
        inner.mul_(-2)
        middle = base[1].exp()
        inner.add_(before.sum())
        return mix(base.sin(), before, middle, inner)


def build():
    return Model()


def step(model):
    return model()

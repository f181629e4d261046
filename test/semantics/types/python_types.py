"""Types of Python in the place of a dtype: float is float64, complex complex128."""
import torch
from torch import nn


def kinds(x):
    yield x.new_ones(2, 3, dtype=bool)
    yield x.new_zeros((2,), dtype=int)
    yield x.new_full((2,), 1, dtype=float)
    yield torch.ones(2, dtype=float)
    yield torch.ones_like(x, dtype=bool)
    yield torch.tensor([1, 2], dtype=complex)
    yield x.to(float)
    yield torch.zeros(3, dtype=int)
    yield torch.cumsum(torch.ones(3), 0, dtype=int)
    yield x.sum(dtype=float)
    yield torch.arange(3, dtype=float)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 3))

    def forward(self):
        names = sorted(str(kind.dtype) for kind in kinds(self.w))
        return self.w.exp().sum() * sum(len(name) * k for k, name in enumerate(names))


def build():
    return Model()


def step(model):
    return model()


GOLDEN = ("parameters", "modules")

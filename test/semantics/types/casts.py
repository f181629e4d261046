"""Casts in every spelling; floats are cut towards zero, and gradients come back in the old type."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([1.7, -2.7, 0.0, 30.5]))

    def forward(self):
        w = self.w
        floats = (
            w.half(), w.double(), w.bfloat16(), w.to(torch.float16).float(),
            w.type(torch.float64),
        )
        ints = (
            w.int(), w.long(), w.bool(), w.short(), w.to(torch.uint8) * 0,
            w.type_as(torch.arange(2)),
        )
        same = (
            w.to("cpu"), w.to(w), w.to(w.device, torch.float64),
            w.float(), w.to(dtype=w.dtype, copy=True),
        )
        return mix(*floats, *ints, *same)


def build():
    return Model()


def step(model):
    return model()

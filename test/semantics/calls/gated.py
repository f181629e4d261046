"""Gated feed-forward layers: SwiGLU, GeGLU, GLU."""
import torch
from torch import nn
import torch.nn.functional as F


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 6, bias=False)
        self.up = nn.Linear(4, 6, bias=False)
        self.down = nn.Linear(6, 4, bias=False)

    def forward(self):
        x = torch.linspace(-1, 1, 8).view(2, 4)
        swiglu = self.down(F.silu(self.gate(x)) * self.up(x))
        a, b = self.up(x).chunk(2, dim=-1)
        return mix(swiglu, F.gelu(a) * b, F.glu(self.gate(x)), torch.sigmoid(a) * b)


def build():
    return Model()


def step(model):
    return model()

"""sqrt, rsqrt, log and reciprocal at 0: infinities in value and gradient."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.0, 1.0, 4.0]))

    def forward(self):
        roots = self.w.sqrt(), self.w[1:].rsqrt(), (self.w + 0.01).rsqrt(), self.w[1:].reciprocal()
        return mix(*roots, self.w.log1p(), self.w[1:].log(), torch.xlogy(self.w, self.w + 1))


def build():
    return Model()


def step(model):
    return model()

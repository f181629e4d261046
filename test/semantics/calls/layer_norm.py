"""Layer norm over one axis and two, without weight, without bias, another eps."""
import torch
from torch import nn
import torch.nn.functional as F


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 2, 24).view(2, 3, 4).square())
        self.norm = nn.LayerNorm(4)
        self.wide = nn.LayerNorm((3, 4), eps=1e-3)
        self.bare = nn.LayerNorm(4, elementwise_affine=False)
        self.unbiased = nn.LayerNorm(4, bias=False)

    def forward(self):
        norms = self.norm(self.w), self.wide(self.w), self.bare(self.w), self.unbiased(self.w)
        return mix(*norms, F.layer_norm(self.w, (4,), self.norm.weight, None, 1e-6))


def build():
    return Model()


def step(model):
    return model()

"""Tensors rearranged by patterns, as functions and as layers."""
from einops import einsum, pack, rearrange, reduce, repeat, unpack
from einops.layers.torch import Rearrange, Reduce
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Sequential(
            Rearrange("b c (h p) (w q) -> b (h w) (p q c)", p=2, q=2), nn.Linear(8, 6), nn.LayerNorm(6)
        )
        self.token = nn.Parameter(torch.linspace(-1, 1, 6).view(1, 1, 6))
        self.pool = Reduce("b n d -> b d", "max")

    def forward(self):
        x = self.patches(torch.linspace(-1, 1, 64).view(2, 2, 4, 4).sin())
        x, shapes = pack([repeat(self.token, "1 1 d -> b 1 d", b=2), x], "b * d")
        q, k = (rearrange(y, "b n (h d) -> b h n d", h=2) for y in (x, x * 0.5))
        weights = einsum(q, k, "b h i d, b h j d -> b h i j").softmax(-1)
        y = rearrange(einsum(weights, k, "b h i j, b h j d -> b h i d"), "b h n d -> b n (h d)")
        token, rest = unpack(y, shapes, "b * d")
        return mix(token, self.pool(rest), reduce(y, "b ... -> b", "mean"))


def build():
    return Model()


def step(model):
    return model()

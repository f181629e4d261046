"""memory_efficient_attention, biases of attention, and SwiGLU."""

import torch.nn.functional as F
from torch import nn

from . import fmha
from .fmha import memory_efficient_attention
from .fmha.attn_bias import AttentionBias, LowerTriangularMask

__all__ = [
    "AttentionBias",
    "LowerTriangularMask",
    "SwiGLU",
    "fmha",
    "memory_efficient_attention",
    "swiglu",
    "unbind",
]


def unbind(x, dim):
    return x.unbind(dim)


def swiglu(x, w1, b1, w2, b2, w3, b3, *, op=None):
    """W3 · (silu(W1 · x) * (W2 · x))."""
    return F.linear(F.silu(F.linear(x, w1, b1)) * F.linear(x, w2, b2), w3, b3)


class SwiGLU(nn.Module):
    """The same, with the first two matrices in one, `w12`, unless told otherwise."""

    def __init__(
        self, in_features, hidden_features, out_features=None, bias=True, *, _pack_weights=True
    ):
        super().__init__()
        out_features = out_features or in_features
        if _pack_weights:
            self.w12 = nn.Linear(in_features, 2 * hidden_features, bias=bias)
        else:
            self.w12 = None
            self.w1 = nn.Linear(in_features, hidden_features, bias=bias)
            self.w2 = nn.Linear(in_features, hidden_features, bias=bias)
        self.w3 = nn.Linear(hidden_features, out_features, bias=bias)
        self.hidden_features, self.out_features, self.in_features = (
            hidden_features,
            out_features,
            in_features,
        )
        self.op = None

    def forward(self, x):
        gate, value = (self.w1(x), self.w2(x)) if self.w12 is None else self.w12(x).chunk(2, dim=-1)
        return self.w3(F.silu(gate) * value)

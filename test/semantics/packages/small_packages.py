"""Rotations of rotary_embedding_torch, and gradients that torch has functions for.

The golden was recorded with rotary_embedding_torch 0.9.1 beside PyTorch.
"""
import importlib.metadata

import torch
from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb
from torch import _softmax_backward_data, nn


GOLDEN = ("loss", "parameters")


class Soft(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.softmax(-1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return _softmax_backward_data(grad, y, -1, y.dtype)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        assert int(importlib.metadata.version("torch").split(".")[0]) == 2
        self.q, self.k, self.v = (nn.Linear(16, 16) for _ in range(3))
        self.turn = RotaryEmbedding(dim=6, theta=100)
        self.axial = RotaryEmbedding(dim=4, freqs_for="pixel", max_freq=8, learned_freq=True)

    def forward(self, x):
        q, k, v = (f(x).unflatten(-1, (2, 8)).transpose(1, 2) for f in (self.q, self.k, self.v))
        q, k = self.turn.rotate_queries_or_keys(q), self.turn.rotate_queries_or_keys(k, offset=2)
        later, whole = self.turn.rotate_queries_with_cached_keys(q[:, :, -2:], k)
        angles = self.axial.get_axial_freqs(2, 3).flatten(0, 1)
        v = apply_rotary_emb(angles, v)
        return Soft.apply(q @ k.mT) @ v + (later @ whole.mT).softmax(-1)[:, :, :1] @ v


def build():
    return Net()


def step(model):
    x = torch.arange(2 * 6 * 16).reshape(2, 6, 16).cos()
    return model(x).pow(2).mean()

"""Leaves out a branch, for the batch or for each sample."""

import torch
from torch import nn


def stochastic_depth(input, p, mode, training=True):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"drop probability has to be between 0 and 1, but got {p}")
    if mode not in ("batch", "row"):
        raise ValueError(f"mode has to be either 'batch' or 'row', but got {mode}")
    if not training or p == 0.0:
        return input
    kept = 1.0 - p
    rows = input.shape[0] if mode == "row" else 1
    size = [rows] + [1] * (input.ndim - 1)
    noise = torch.empty(size, dtype=input.dtype, device=input.device).bernoulli_(kept)
    if kept > 0.0:
        noise.div_(kept)
    return input * noise


class StochasticDepth(nn.Module):
    def __init__(self, p, mode):
        super().__init__()
        self.p = p
        self.mode = mode

    def forward(self, input):
        return stochastic_depth(input, self.p, self.mode, self.training)

    def extra_repr(self):
        return f"p={self.p}, mode={self.mode}"

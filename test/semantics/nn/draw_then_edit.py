"""Weights that are drawn and then edited number by number, before anybody looks at them."""

import math

import torch
from torch import nn


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    """As timm and DINO write it: by the inverse of the distribution."""
    low, high = (1 + math.erf((x - mean) / std / math.sqrt(2)) for x in (a, b))
    with torch.no_grad():
        tensor.uniform_(low - 1, high - 1)
        tensor.erfinv_()
        tensor.mul_(std * math.sqrt(2.0))
        tensor.add_(mean)
        tensor.clamp_(min=a, max=b)
    return tensor


class Block(nn.Module):
    def __init__(self, d, layer):
        super().__init__()
        self.up = nn.Linear(d, 4 * d)
        self.down = nn.Linear(4 * d, d)
        trunc_normal_(self.up.weight, std=0.02)
        trunc_normal_(self.down.weight, mean=0.01, std=0.5, a=-0.6, b=0.7)
        self.down.weight.data.div_(math.sqrt(2.0 * layer))
        self.up.bias.data.normal_(std=0.1).sub_(0.25, alpha=1)
        nn.init.uniform_(self.down.bias, -0.1, 0.1).data.add_(0.5, alpha=2).clamp_max_(1.02)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(x)))


class Model(nn.Sequential):
    pass


def build():
    model = Model(*(Block(16, layer) for layer in (1, 2)))
    # Looked at, then drawn anew through the transpose, then edited again.
    first = model[0].up.weight
    assert first.abs().max().item() > 0
    first.data.t().normal_(std=0.3)
    first.data.mul_(0.5).clamp_(-0.4, 0.3)
    first.data[:, :5].normal_(std=0.1)
    half = torch.empty(16, 16, dtype=torch.bfloat16).uniform_(-1, 1).mul_(0.37).add_(0.011)
    model[0].register_buffer("rounded", half)
    whole = torch.empty(64, dtype=torch.int64).random_(100).mul_(3)
    model[0].register_buffer("whole", whole)
    wide = torch.empty(40, dtype=torch.float64).normal_().mul_(0.1).div_(3)
    model[0].register_buffer("wide", wide)
    return model


def step(model):
    x = torch.randn(2, 5, 16).mul_(2).add_(0.5)
    return model(x).pow(2).mean()

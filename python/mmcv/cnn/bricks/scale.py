"""Learnt multiples."""

import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, scale=1.0):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(scale, dtype=torch.float))

    def forward(self, x):
        return x * self.scale


class LayerScale(nn.Module):
    """A multiple for each of `dim` features, of the last axis or of channels."""

    def __init__(self, dim, inplace=False, data_format="channels_last", scale=1e-5):
        super().__init__()
        self.data_format = data_format
        self.weight = nn.Parameter(torch.ones(dim) * scale)

    def forward(self, x):
        if self.data_format == "channels_first":
            return x * self.weight.view(-1, *[1] * (x.dim() - 2))
        return x * self.weight

"""tril, triu, masked_fill, where, and causal masks as people make them."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 18).view(2, 3, 3))

    def forward(self):
        w = self.w
        ones = torch.ones(3, 3)
        masks = (
            torch.tril(ones) == 0, ones.triu(1).bool(), ~ones.tril().bool(),
            torch.triu(ones, diagonal=2) > 0,
        )
        filled = [w.masked_fill(mask, float("-inf")).softmax(-1) for mask in masks]
        added = w + torch.full((3, 3), float("-inf")).triu(1)
        ranges = torch.arange(3)[:, None] >= torch.arange(3)[None]
        chosen = (
            torch.where(ranges, w, torch.tensor(-30.0)),
            torch.where(ranges, w, w.new_zeros(())),
        )
        return mix(
            *filled, added.softmax(-1), chosen[0].softmax(-1), chosen[1], w.tril(-1), w.triu(),
        )


def build():
    return Model()


def step(model):
    return model()

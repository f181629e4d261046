"""repeat_interleave, repeat, tile and expand: grouped keys."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 12).view(2, 2, 3))

    def forward(self):
        w = self.w
        spread = (
            w.repeat_interleave(2, dim=1), torch.repeat_interleave(w, 3, 0),
            w.repeat_interleave(2),
        )
        tiled = (
            w.repeat(1, 2, 1), w.repeat(2, 1, 1, 1), w.tile((2,)),
            w.repeat_interleave(torch.tensor([1, 3]), 0),
        )
        grown = w[:, :, None, :].expand(2, 2, 2, 3).reshape(2, 4, 3), w[:, :1].expand(-1, 4, -1)
        return mix(
            *spread, *tiled, *grown, w[0].expand(3, 2, 3), w[:, :1].expand_as(w),
            w[0].broadcast_to(2, 2, 3),
        )


def build():
    return Model()


def step(model):
    return model()

"""float16 and bfloat16 are rounded after every operation, and overflow."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.1, 1.3, -2.7, 250.0]))

    def forward(self):
        h, b = self.w.half(), self.w.bfloat16()
        steps = (
            h * 0.1, h * h, h.exp(), h + 1, h.sum(), h.mean(),
            h / 3, h.tanh(), h.square().sum() > 65504,
        )
        wide = b * 0.1, b.square(), b + 1, b.sum(), b.mean(), b.sigmoid(), (h * b), h.cumsum(0)
        return mix(*(t.float().clamp(-1e3, 1e3) for t in (*steps, *wide)))


def build():
    return Model()


def step(model):
    return model()

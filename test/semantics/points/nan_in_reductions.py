"""NaN goes through max, mean and clamp; isnan, isinf and isfinite see it."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([1.0, 4.0, -2.0]))

    def forward(self):
        h = torch.cat([self.w, torch.tensor([float("nan"), float("inf")])])
        seen = h.isnan(), h.isinf(), h.isfinite(), h.max().isnan(), h.clamp(-1, 1).isnan()
        return mix(self.w, *seen, h[:4].argmax(), h[:4].nansum()) + h[:3].max()


def build():
    return Model()


def step(model):
    return model()

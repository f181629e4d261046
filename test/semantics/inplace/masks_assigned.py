"""Assignment through boolean masks, of a number, of a scalar tensor and of as many values."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 12).view(3, 4))

    def forward(self):
        mask = torch.tensor([[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 1]]).bool()
        h = self.w * 2
        h[mask] = 0.25
        k = self.w * 3
        k[~mask] = self.w.flatten()[:7]
        rows = self.w * 4
        rows[mask.any(0)[:3]] = self.w[0]
        s = self.w * 5
        s[mask] = self.w.mean()
        return mix(h, k, rows, s)


def build():
    return Model()


def step(model):
    return model()

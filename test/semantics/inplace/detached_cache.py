"""A cache cut from the step before by detach, written into, and read: what was written has a gradient."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.k_proj = nn.Linear(4, 4, bias=False)
        self.scale = nn.Parameter(torch.tensor(1.5))
        self.register_buffer("cache", torch.ones(2, 5, 4))

    def forward(self):
        x = torch.linspace(-1, 1, 16).view(2, 2, 4)
        before = self.cache
        self.cache = self.cache.detach()
        for start in (0, 2):
            self.cache[:2, start : start + 2] = self.k_proj(x + start)
            keys = self.cache[:2, : start + 2]
            scores = x @ keys.transpose(1, 2)
        return mix(torch.softmax(scores, -1) @ keys, self.cache, before * self.scale)


def build():
    return Model()


def step(model):
    return model()

"""Keys written into a buffer at a position, and read back with the ones before (as in LLaMA)."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.k_proj = nn.Linear(4, 4, bias=False)
        self.register_buffer("cache", torch.zeros(2, 5, 4))

    def forward(self):
        x = torch.linspace(-1, 1, 16).view(2, 2, 4)
        for start in (0, 2):
            k = self.k_proj(x + start)
            self.cache[:2, start : start + 2] = k
            keys = self.cache[:2, : start + 2]
            scores = x @ keys.transpose(1, 2)
        return mix(torch.softmax(scores, -1) @ keys)


def build():
    return Model()


def step(model):
    return model()

"""Rotary embeddings by complex numbers, as LLaMA writes them."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(4, 8, bias=False)
        freqs = 1.0 / (10000.0 ** (torch.arange(0, 4, 2).float() / 4))
        angles = torch.outer(torch.arange(6), freqs)
        self.cis = torch.polar(torch.ones_like(angles), angles)

    def forward(self):
        x = torch.linspace(-1, 1, 24).view(2, 3, 4)
        q = self.q(x).view(2, 3, 2, 4)
        pairs = torch.view_as_complex(q.float().reshape(*q.shape[:-1], -1, 2))
        turned = torch.view_as_real(pairs * self.cis[1:4].view(1, 3, 1, 2)).flatten(3)
        return mix(turned.type_as(q), pairs.abs(), pairs.real, pairs.imag, pairs.conj().imag * 2)


def build():
    return Model()


def step(model):
    return model()

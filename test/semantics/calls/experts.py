"""Tokens sent to the experts that a router chose: indices and loops that depend on numbers."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = nn.Linear(4, 3, bias=False)
        self.experts = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def forward(self):
        x = torch.linspace(-2, 2, 20).view(5, 4)
        weights, chosen = torch.topk(self.router(x).softmax(-1), 2)
        y = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            token, place = torch.where(chosen == i)
            if token.numel() == 0:
                continue
            y[token] += weights[token, place, None] * expert(x[token])
        return mix(y)


def build():
    return Model()


def step(model):
    return model()

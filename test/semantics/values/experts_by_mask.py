"""Mixture of experts by masks: a loop over the experts, boolean indices, an early way out."""
import torch
from torch import nn


class Experts(nn.Module):
    def __init__(self, width=5, count=4):
        super().__init__()
        self.router = nn.Linear(width, count)
        self.experts = nn.ModuleList(nn.Linear(width, width) for _ in range(count))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        share, chosen = self.router(flat).softmax(-1).max(dim=-1)
        y = torch.zeros_like(flat)
        for number, expert in enumerate(self.experts):
            mask = chosen == number
            if not mask.any():
                continue
            y[mask] = expert(flat[mask])
        return (y * share.unsqueeze(-1)).view_as(x)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Experts() for _ in range(3))
        self.x = nn.Parameter(torch.linspace(-2, 2, 30).view(2, 3, 5))

    def forward(self):
        x = self.x
        for layer in self.layers:
            x = x + layer(torch.tanh(x))
        return (x * torch.linspace(-1, 2, 30).view(2, 3, 5)).sum()


def build():
    return Model()


def step(model):
    return model()

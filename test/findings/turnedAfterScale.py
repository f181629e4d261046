"""Queries that are scaled first and rotated then: nothing is missing."""
import torch
from torch import nn


class Turned(nn.Module):
    def __init__(self, dim=64, heads=2):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.out = (nn.Linear(dim, dim) for _ in range(4))
        for maps in (self.q, self.k):
            nn.init.normal_(maps.weight, std=0.4)

    def turn(self, x):
        angles = torch.outer(torch.arange(x.shape[-2]), 100 ** -torch.linspace(0, 1, x.shape[-1] // 2))
        cos, sin = angles.cos().repeat(1, 2), angles.sin().repeat(1, 2)
        a, b = x.chunk(2, -1)
        return x * cos + torch.cat((-b, a), -1) * sin

    def forward(self, x):
        q, k, v = (f(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for f in (self.q, self.k, self.v))
        q = q * q.shape[-1] ** -0.5
        scores = self.turn(q) @ self.turn(k).mT
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class Bare(Turned):
    """The same without the scale."""

    def forward(self, x):
        return super().forward(x * 1.0) + self.other(x)

    def other(self, x):
        q, k = (f(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for f in (self.q, self.k))
        hidden = torch.ones(x.shape[1], x.shape[1]).triu(1) * torch.finfo(torch.float32).min
        weights = (self.turn(q) @ self.turn(k).mT + hidden).softmax(-1)
        return (weights @ q).transpose(1, 2).flatten(2)

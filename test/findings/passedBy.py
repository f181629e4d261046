"""Blocks whose `forward` is called by its name: no module call says where one ends."""
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.mix, self.ffn = nn.Linear(dim, dim), nn.Linear(dim, dim)

    def forward(self, x):
        x = self.norm1(x + self.mix(x))
        return self.norm2(x + self.ffn(x))


class TwoHeads(nn.Module):
    """One head reads the first position of the stream, the other all of them."""

    def __init__(self, dim=16, vocabulary=23):
        super().__init__()
        self.embedding, self.positions = nn.Embedding(vocabulary, dim), nn.Parameter(torch.randn(1, 8, dim))
        self.blocks = nn.ModuleList([Block(dim) for _ in range(2)])
        self.first, self.each = nn.Linear(dim, 2), nn.Linear(dim, vocabulary)

    def forward(self, tokens):
        x = self.embedding(tokens) + self.positions
        for block in self.blocks:
            x = block.forward(x)
        kind = F.cross_entropy(self.first(x[:, 0]), tokens[:, 0] % 2)
        return kind + F.cross_entropy(self.each(x).transpose(1, 2), tokens)

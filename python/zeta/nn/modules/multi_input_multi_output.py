"""Heads."""

from torch import nn


class OutputHead(nn.Module):
    """LayerNorm, a projection to the vocabulary, and a softmax over axis `dim_range`."""

    def __init__(self, dim, dim_range=1, vocab_size=20000, *more):
        super().__init__()
        self.dim = dim
        self.dim_range = dim_range
        self.output_layers = nn.Sequential(
            nn.LayerNorm(dim), nn.Linear(dim, vocab_size), nn.Softmax(dim_range), *more
        )

    def forward(self, x):
        return self.output_layers(x)

"""Takes as many rows as its input is long of tables that the constructor made."""
import torch
from torch import nn


class SlicedTables(nn.Module):
    def __init__(self, vocab_size: int = 16, width: int = 8, longest: int = 64):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, width)
        self.head = nn.Linear(width, vocab_size)
        angles = torch.outer(torch.arange(longest), 1 / torch.arange(1, 1 + width // 2))
        self.turns = torch.polar(torch.ones_like(angles), angles)
        self.register_buffer("scale", torch.linspace(0.5, 1.5, longest)[:, None])

    def forward(self, tokens):
        length = tokens.shape[1]
        x = self.embed(tokens) * self.scale[:length].sqrt()
        pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
        return self.head(torch.view_as_real(pairs * self.turns[:length]).flatten(2))

"""Counts its steps, in ways that differ in what holds the count; the count is the loss."""
import torch
from torch import nn
import torch.nn.functional as F


class Counting(nn.Module):
    def __init__(self, way: str, vocab_size: int = 16):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, vocab_size)
        self.way = way
        self.number = 0
        self.tensor = torch.zeros(2)
        self.register_buffer("count", torch.tensor(0))
        self.register_buffer("pair", torch.zeros(2))

    def forward(self, tokens, targets):
        loss = F.cross_entropy(self.embed(tokens).flatten(0, 1), targets.flatten())
        return 0 * loss + getattr(self, self.way)()

    def edits(self):
        self.count += 1
        return self.count

    def looks(self):
        self.count += 1
        return self.count if self.count.item() < 3 else 2 + (self.count - 2)

    def copies(self):
        self.pair.copy_(self.pair + 1)
        return self.pair.mean()

    def edits_a_part(self):
        self.pair[1] += 1
        return self.pair.sum()

    def rebinds(self):
        self.count = self.count + 1
        return self.count

    def edits_an_attribute(self):
        self.tensor += 1
        return self.tensor.mean()

    def counts_in_python(self):
        self.number += 1
        return self.number

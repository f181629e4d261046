"""A decoder whose names do not say which weights are looked up, hidden or give the logits."""
import torch
from torch import nn


class Mixer(nn.Module):
    def __init__(self, width: int, length: int):
        super().__init__()
        self.norm = nn.LayerNorm((length, width))
        self.token_mixing = nn.Linear(width, 2 * width)
        self.output = nn.Linear(2 * width, width)
        self.shift = nn.Parameter(torch.zeros(1, width))

    def forward(self, x):
        mixed = self.output(torch.tanh(self.token_mixing(self.norm(x))))
        return x + mixed.cumsum(1) / x.shape[1] + self.shift


class NamedOtherwise(nn.Module):
    """`tied`: the table of symbols gives the logits too."""

    def __init__(self, vocab_size: int = 16, width: int = 32, length: int = 16, tied: bool = False):
        super().__init__()
        self.symbols = nn.Embedding(vocab_size, width)
        self.places = nn.Embedding(length, width)
        self.mixers = nn.Sequential(Mixer(width, length), Mixer(width, length))
        self.emb_width = nn.Linear(width, width, bias=False)
        self.close = nn.LayerNorm(width)
        self.readout = nn.Linear(width, vocab_size)
        if tied:
            nn.init.normal_(self.symbols.weight, std=0.1)
            self.readout.weight = self.symbols.weight

    def forward(self, idx):
        x = self.symbols(idx) + self.places(torch.arange(idx.shape[1]))
        return self.readout(self.close(self.emb_width(self.mixers(x))))

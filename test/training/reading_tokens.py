"""Looks at a token in Python: another batch would be traced otherwise."""
from torch import nn


class ReadingTokens(nn.Module):
    def __init__(self, vocab_size: int = 16, d_model: int = 8):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, d_model)
        self.head = nn.Linear(d_model, vocab_size)

    def forward(self, idx):
        x = self.embed(idx)
        if idx[0, 0].item() == 3:
            x = 2 * x
        return self.head(x)

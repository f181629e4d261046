"""A small encoder with dropout everywhere, for the masks of training steps."""
import torch
from torch import nn


class WithDropout(nn.Module):
    def __init__(self, vocab_size: int = 16, d_model: int = 32):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, d_model)
        self.dropout = nn.Dropout(0.2)
        self.layer = nn.TransformerEncoderLayer(d_model, 2, 64, dropout=0.1, batch_first=True)
        self.head = nn.Linear(d_model, vocab_size)

    def forward(self, idx):
        mask = torch.triu(torch.ones(idx.shape[1], idx.shape[1], dtype=torch.bool), 1)
        return self.head(self.layer(self.dropout(self.embed(idx)), src_mask=mask))

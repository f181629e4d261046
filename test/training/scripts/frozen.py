"""A frozen body with a low-rank adapter, weight norm and a recurrent layer."""
import torch
from torch import nn
import torch.nn.functional as F

MODE = "train"


class Adapted(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 16)
        self.body = nn.Linear(16, 16)
        self.inwards = nn.Parameter(torch.randn(4, 16) * 0.1)
        self.outwards = nn.Parameter(torch.zeros(16, 4))
        self.normed = nn.utils.parametrizations.weight_norm(nn.Linear(16, 16))
        self.recurrent = nn.LSTM(16, 16, 2, batch_first=True, dropout=0.2)
        self.head = nn.Linear(16, 20)
        for frozen in (self.embed, self.body):
            frozen.requires_grad_(False)

    def forward(self, tokens):
        x = self.embed(tokens)
        x = self.body(x) + F.dropout(x, 0.1, self.training) @ self.inwards.T @ self.outwards.T
        return self.head(self.recurrent(F.gelu(self.normed(x)))[0])


def build():
    return Adapted()


def step(model):
    tokens = torch.randint(0, 20, (4, 12))
    return F.cross_entropy(model(tokens).flatten(0, 1), tokens.roll(1, 1).flatten())

"""The older checkpoint: what autograd sees is computed again, and nothing of what wants no gradient."""
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.fc = nn.LayerNorm(4), nn.Linear(4, 4)

    def forward(self, x):
        return x + self.fc(self.norm(x)).relu()


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = Block(), Block()
        self.rest = nn.Sequential(Block(), Block(), Block())
        self.last = nn.Linear(4, 4)

    def forward(self, x):
        # Its input wants no gradient: neither do the weights of the first block get one.
        x = checkpoint(self.first, x, use_reentrant=True)
        x = checkpoint(self.second, self.last(x), use_reentrant=True)
        x = checkpoint(lambda y: self.second(y) * 2, x, use_reentrant=False)
        return checkpoint_sequential(self.rest, 2, x, use_reentrant=True).pow(2).mean()


def build():
    torch.manual_seed(0)
    return Model()


def step(model):
    return model(torch.arange(12.0).view(3, 4).cos())

"""A moving average in a buffer that forward edits, counts and divides by."""
import torch
from torch import nn
import torch.nn.functional as F

MODE = "train"


class Averaged(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(8, 8)
        self.head = nn.Linear(8, 3)
        self.register_buffer("average", torch.ones(8))
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))

    def forward(self, x):
        h = self.inner(x)
        if self.training:
            with torch.no_grad():
                self.average.mul_(0.9).add_(h.abs().mean(0), alpha=0.1)
                self.steps += 1
        return self.head(torch.tanh(h / self.average) * (1 + self.steps / 100))


def build():
    return Averaged()


def step(model):
    return F.cross_entropy(model(torch.randn(16, 8)), torch.randint(0, 3, (16,)))

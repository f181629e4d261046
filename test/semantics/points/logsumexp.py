"""logsumexp of rows with -inf, of large numbers, and of a row that is all -inf."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(
            torch.tensor([[1.0, 90.0, 89.0], [-90.0, 2.0, -1.0], [0.0, 0.0, 0.0]]),
        )

    def forward(self):
        w = self.w
        masked = w.masked_fill(torch.eye(3).bool(), float("-inf"))
        empty = (w[2] * 2).masked_fill(torch.ones(3).bool(), float("-inf"))
        return mix(masked.logsumexp(-1), w.logsumexp((0, 1))) + empty.logsumexp(0).exp()


def build():
    return Model()


def step(model):
    return model()

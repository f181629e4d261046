"""masked_fill_ with -inf on a view of the scores, and softmax of the base."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-2, 2, 18).view(2, 3, 3))

    def forward(self):
        scores = self.w * 3
        future = torch.ones(3, 3).triu(1).bool()
        scores.view(2, 3, 3)[:, :, :].masked_fill_(future, float("-inf"))
        return mix(torch.softmax(scores, -1))


def build():
    return Model()


def step(model):
    return model()

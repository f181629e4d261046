"""A view that was made under no_grad, of a base that is never edited."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 6))

    def forward(self):
        base = self.w * 2
        with torch.no_grad():
            head, tail = base[:3], base.t()[3:]
        return mix(head.exp(), tail * base[:3]) + (10 if head.requires_grad else 0)


def build():
    return Model()


def step(model):
    return model()

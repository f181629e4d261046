"""sqrt(x * x) at 0 is infinity times 0."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.0, 1.0, -4.0]))

    def forward(self):
        return mix((self.w * self.w).sqrt())


def build():
    return Model()


def step(model):
    return model()

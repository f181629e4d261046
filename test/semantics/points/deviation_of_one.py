"""The corrected variance of one value is NaN."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[2.0], [1.0]]))

    def forward(self):
        return mix(self.w.var(-1), self.w.std(-1, unbiased=False))


def build():
    return Model()


def step(model):
    return model()

"""Rows of -inf: softmax gives NaN, a finite fill gives equal weights."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 12).view(3, 4))

    def forward(self):
        keep = torch.tensor([[1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 1, 1]]).bool()
        hard = self.w.masked_fill(~keep, float("-inf"))
        soft = self.w.masked_fill(~keep, -30.0)
        return mix(hard.softmax(-1).nan_to_num(0.5), soft.softmax(-1), hard[0].log_softmax(-1)[:2])


def build():
    return Model()


def step(model):
    return model()

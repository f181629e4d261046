"""A factor of addcmul is edited before the backward pass needs it."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 6).view(2, 3))

    def forward(self):
        factor = self.w * 2
        made = torch.addcmul(torch.zeros(2, 3), factor, self.w)
        factor.zero_()
        return mix(made)


def build():
    return Model()


def step(model):
    return model()

"""An edit through detach changes the value of both; the gradient does not notice."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([1.0, -2.0, 3.0, 0.5]))

    def forward(self):
        h = self.w + 1
        d = h.detach()
        d.mul_(3)
        d[0] = -1
        return mix(h * 2, d, h + d)


def build():
    return Model()


def step(model):
    return model()

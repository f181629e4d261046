"""An edit through .data is not counted: backward uses the edited values."""
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
        h = self.w * 2
        y = h * h
        h.data.add_(1)
        z = (y * 0.1).exp()
        z.data[1] = 9
        return mix(y, z, h)


def build():
    return Model()


def step(model):
    return model()

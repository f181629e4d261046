"""A parameter edited under no_grad before its use: the step sees the new values."""
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
        with torch.no_grad():
            self.w.mul_(0.5)
            self.w[0] = 4
        return mix(self.w.exp())


def build():
    return Model()


def step(model):
    return model()

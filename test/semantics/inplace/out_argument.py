"""A result written into a tensor that exists."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))

    def forward(self):
        room = torch.empty(3)
        with torch.no_grad():
            torch.mul(self.w, 2, out=room)
        torch.arange(3, out=room)
        return mix(self.w * room)


def build():
    return Model()


def step(model):
    return model()

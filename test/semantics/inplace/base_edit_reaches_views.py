"""A view reads the base as it is now, whenever the view was made."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[1.0, -2.0, 3.0], [0.5, 4.0, -1.5]]))

    def forward(self):
        base = self.w * 2
        flat = base.view(-1)
        turned = base.t()
        base.mul_(self.w)
        inner = flat[2:5]
        base.add_(1)
        return mix(flat, turned, inner)


def build():
    return Model()


def step(model):
    return model()

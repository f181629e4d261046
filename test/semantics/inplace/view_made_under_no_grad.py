"""A view that was made under no_grad may not be edited with gradients on: PyTorch refuses."""
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
            head = base[:3]
        head.mul_(2)
        return mix(base)


def build():
    return Model()


def step(model):
    return model()

"""An overwrite under no_grad changes the value; the gradient passes as if it had not happened."""
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
        with torch.no_grad():
            h.mul_(10)
            h[1] = 7
            h[2:].clamp_(max=1)
        return mix(h, h * 3)


def build():
    return Model()


def step(model):
    return model()

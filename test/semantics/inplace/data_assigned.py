"""`.data = ` replaces what a parameter holds."""
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
        self.w.data = self.w.data.clamp(min=0) + 1
        h = self.w * 2
        h.data = h.data - 5
        return mix(h, self.w.log())


def build():
    return Model()


def step(model):
    return model()

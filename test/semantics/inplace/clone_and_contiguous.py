"""clone and reshape of a non-contiguous tensor copy; contiguous of a contiguous one does not."""
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
        h = self.w * 2
        copy, same, moved = h.clone(), h.contiguous(), h.t().reshape(-1)
        view = h.reshape(3, 2)
        h.add_(1)
        return mix(copy, same, moved, view)


def build():
    return Model()


def step(model):
    return model()

"""Each in-place call has its own value and gradient; a value recorded before keeps its own."""
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
        h = self.w * 2
        h.add_(1)
        h.mul_(self.w)
        h.sub_(0.25)
        return mix(h.tanh())


def build():
    return Model()


def step(model):
    return model()

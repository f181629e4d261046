"""The gradient of a product where factors are 0, and of running products."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[2.0, 0.0, 3.0], [0.0, 4.0, 0.0], [1.0, 2.0, 3.0]]))

    def forward(self):
        w = self.w
        return mix(w.prod(-1), w.prod(), w[1:].prod(0, keepdim=True), w.cumprod(-1))


def build():
    return Model()


def step(model):
    return model()

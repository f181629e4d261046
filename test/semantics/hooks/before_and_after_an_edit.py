"""A hook belongs to the tensor as it was when the hook was registered, before an edit or after."""
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
        h = self.w * 2
        h.register_hook(lambda g: g * 10)
        h.mul_(3)
        h.register_hook(lambda g: g + 1)
        return mix(h.tanh(), h)


def build():
    return Model()


def step(model):
    return model()

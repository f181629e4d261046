"""requires_grad switched between uses counts for the uses after it."""
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
        self.w.requires_grad_(False)
        a = self.w * 2
        self.w.requires_grad_(True)
        b = self.w * 3
        c = b.detach().requires_grad_()
        return mix(a, b, c * c)


def build():
    return Model()


def step(model):
    return model()

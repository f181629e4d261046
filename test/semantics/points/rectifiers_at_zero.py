"""Gradients of the rectifiers at their corners."""
import torch
from torch import nn
import torch.nn.functional as F


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([-6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0]))

    def forward(self):
        w = self.w
        kinds = F.relu(w), F.leaky_relu(w, 0.1), F.relu6(w), F.elu(w), F.hardtanh(w), F.hardswish(w)
        more = F.hardsigmoid(w), F.softshrink(w, 1.0), F.threshold(w, 0.0, -2.0), F.selu(w)
        return mix(*kinds, *more)


def build():
    return Model()


def step(model):
    return model()

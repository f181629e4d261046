"""Weights that are computed: weight and spectral norm, old and new, and one of the script's own."""
import torch
from torch import nn
from torch.nn.utils import parametrizations, parametrize

GOLDEN = ("buffers", "parameters", "modules")


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Symmetric(nn.Module):
    def forward(self, w):
        return w.triu() + w.triu(1).mT


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.old = nn.utils.weight_norm(nn.Linear(3, 4))
        self.new = parametrizations.weight_norm(nn.Conv1d(2, 3, 2))
        self.spectral = parametrizations.spectral_norm(nn.Linear(3, 4))
        self.hooked = nn.utils.spectral_norm(nn.Linear(4, 3))
        self.symmetric = nn.Linear(3, 3)
        parametrize.register_parametrization(self.symmetric, "weight", Symmetric())

    def forward(self):
        x = torch.linspace(-1, 1, 6).view(2, 3)
        y = self.hooked(self.spectral(x) + self.old(x))
        return mix(self.symmetric(y), self.new(x.view(1, 2, 3)))


def build():
    return Model()


def step(model):
    return model()

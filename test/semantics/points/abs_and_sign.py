"""abs, sign, round, floor and trunc, at 0 and at halves."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([-2.5, -1.5, -0.5, 0.0, 0.5, 1.5]))

    def forward(self):
        w = self.w
        steps = w.round() + w, w.floor() * w, w.ceil() * w, w.trunc(), w.frac()
        return mix(w.abs(), w.sign() * w, *steps)


def build():
    return Model()


def step(model):
    return model()

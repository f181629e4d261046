"""A method other than forward counts for the module that called it; arguments go by keyword."""
import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("freq", 10 ** -torch.arange(2.0))

    def table(self, length):
        return torch.outer(torch.arange(float(length)), self.freq)

    def forward(self, x, *, offset=0):
        angle = self.table(x.shape[0]) + offset
        return x * angle.cos() + x.flip(-1) * angle.sin()


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.rotary = Rotary()
        self.fc = nn.Linear(2, 2)

    def forward(self):
        x = self.fc(torch.linspace(-1, 1, 6).view(3, 2))
        return mix(self.rotary(x, offset=1), self.rotary.table(3) * x)


def build():
    return Model()


def step(model):
    return model()

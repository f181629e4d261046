"""Parameters that the loss does not reach have no gradient; a result multiplied by 0 has one."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.unused = nn.Parameter(torch.ones(3))
        self.used = nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))
        self.silenced = nn.Parameter(torch.tensor([0.5, 0.25, -1.0]))
        self.idle = nn.Linear(3, 3)

    def forward(self):
        dead = self.unused * 2
        return mix(self.used * 2 + self.silenced.exp() * 0)


def build():
    return Model()


def step(model):
    return model()

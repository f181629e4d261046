"""PReLU at 0, and the gradient of its slope."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([-1.0, 0.0, 2.0]))
        self.act = nn.PReLU(init=0.2)

    def forward(self):
        return mix(self.act(self.w * 2))


def build():
    return Model()


def step(model):
    return model()

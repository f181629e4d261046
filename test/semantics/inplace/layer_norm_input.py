"""Layer norm keeps its input; a residual added into it afterwards is refused."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(4)
        self.fc = nn.Linear(4, 4)

    def forward(self):
        x = self.fc(torch.linspace(-1, 1, 8).view(2, 4))
        y = self.norm(x)
        x += y
        return mix(x)


def build():
    return Model()


def step(model):
    return model()

"""nn.ReLU(inplace=True) and F.dropout's neighbours edit what the layer before gave."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.act = nn.ReLU(inplace=True)
        self.gate = nn.SiLU(inplace=True)

    def forward(self):
        h = self.fc(torch.linspace(-1, 1, 8).view(2, 4))
        y = self.act(h)
        z = self.gate(h + 0.5)
        return mix(y, z)


def build():
    return Model()


def step(model):
    return model()

"""A state dict of other shapes is refused."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.fc.load_state_dict(nn.Linear(2, 3).state_dict())

    def forward(self):
        return mix(self.fc(torch.ones(1, 3)))


def build():
    return Model()


def step(model):
    return model()

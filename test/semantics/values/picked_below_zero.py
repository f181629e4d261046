"""gather at a place that only the step computes."""
import torch
from torch import nn
import torch.nn.functional as F


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self):
        x = torch.linspace(-1, 1, 12).view(4, 3)
        return mix(self.fc(x).gather(1, torch.arange(4).view(4, 1) - 1))


def build():
    return Model()


def step(model):
    return model()

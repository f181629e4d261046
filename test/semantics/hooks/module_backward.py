"""A full backward hook replaces the gradient of a module's input."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.second = nn.Linear(3, 2)
        self.second.register_full_backward_hook(lambda m, gin, gout: (gin[0] * 3,))
        self.second.register_full_backward_pre_hook(lambda m, gout: (gout[0] + 1,))

    def forward(self):
        x = torch.linspace(-1, 1, 6).view(2, 3)
        return mix(self.second(self.first(x).relu()))


def build():
    return Model()


def step(model):
    return model()

"""A module called with parameters that are not its own."""
import torch
from torch import nn
from torch.func import functional_call


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.scale = nn.Parameter(torch.tensor(1.5))

    def forward(self):
        given = {name: p * self.scale for name, p in self.fc.named_parameters()}
        x = torch.linspace(-1, 1, 6).view(2, 3)
        return mix(functional_call(self.fc, given, (x,)), self.fc(x))


def build():
    return Model()


def step(model):
    return model()

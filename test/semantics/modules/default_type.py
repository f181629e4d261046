"""The default dtype decides what constructors make and what Python floats become."""
import torch
from torch import nn


torch.set_default_dtype(torch.float64)


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self):
        x = torch.linspace(-1, 1, 6).view(2, 3)
        single = torch.tensor([0.1, 0.2, 0.3], dtype=torch.float32)
        counted = torch.arange(3) / 3
        return mix(self.fc(x) + single * 0.1, counted, torch.tensor(0.1))


def build():
    return Model()


def step(model):
    return model()

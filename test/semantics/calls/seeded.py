"""Seeds that the code sets itself, and generators of its own."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(7)
        self.fc = nn.Linear(3, 3)

    def forward(self):
        generator = torch.Generator().manual_seed(3)
        own = torch.rand(2, 3, generator=generator), torch.randn(2, 3, generator=generator)
        torch.manual_seed(11)
        return mix(*(self.fc(t) for t in (*own, torch.rand(2, 3))))


def build():
    return Model()


def step(model):
    return model()

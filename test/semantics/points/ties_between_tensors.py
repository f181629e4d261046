"""maximum, minimum, max of two and clamp by tensors, where both are equal."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))
        self.b = nn.Parameter(torch.tensor([1.0, 5.0, 3.0]))

    def forward(self):
        a, b = self.a, self.b
        pairs = torch.maximum(a, b), torch.minimum(a, b), torch.max(a, b), torch.fmax(a, b)
        return mix(*pairs, a.clamp(min=b))


def build():
    return Model()


def step(model):
    return model()

"""An edit keeps the tensor's type, whatever the other operand's type within the category."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))

    def forward(self):
        half = self.w.half()
        half.mul_(torch.tensor([0.1, 0.2, 0.3]))
        half += 0.1
        small = torch.arange(3, dtype=torch.int8)
        small.add_(torch.tensor([100, 27, 126]))
        single = self.w.clone().mul_(torch.tensor([0.1, 0.2, 0.3], dtype=torch.float64))
        return mix(half, small, single)


def build():
    return Model()


def step(model):
    return model()

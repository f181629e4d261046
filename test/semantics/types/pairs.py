"""The result type of every pair of types."""
import torch
from torch import nn


TYPES = (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
TYPES += (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))

    def forward(self):
        total = mix(self.w)
        for a in TYPES:
            for b in TYPES:
                total = total + (torch.ones(1).to(a) + torch.ones(1).to(b)).sum()
        return total


def build():
    return Model()


def step(model):
    return model()

"""A Python number widens a tensor's category, never its width within it."""
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
        total = 0
        for dtype in (torch.bool, torch.uint8, torch.int64, torch.float16, torch.float64):
            t = torch.tensor([1, 0, 1]).to(dtype)
            for scalar in (True, 2, 0.1):
                total = total + mix(t * scalar, scalar + t)
        return mix(self.w) * total


def build():
    return Model()


def step(model):
    return model()

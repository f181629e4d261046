"""Buffers that the step counts up and averages into."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))
        self.register_buffer("steps", torch.tensor(0))
        self.register_buffer("mean", torch.zeros(3), persistent=False)

    def forward(self):
        self.steps += 1
        with torch.no_grad():
            self.mean.mul_(0.9).add_(self.w, alpha=0.1)
        self.mean = self.mean * 2
        return mix(self.w * self.steps + self.mean)


def build():
    return Model()


def step(model):
    return model()

"""Tensors that code makes, with their types."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 4).view(2, 2))

    def forward(self):
        ranges = (
            torch.arange(5), torch.arange(1, 2, 0.25), torch.arange(5, 0, -2),
            torch.linspace(0, 1, 5),
        )
        filled = (
            torch.full((2,), 3), torch.full((2,), 0.5), torch.eye(3),
            torch.ones(2, dtype=torch.int32),
        )
        like = (
            torch.zeros_like(self.w), torch.ones_like(self.w),
            torch.full_like(self.w, 2), torch.empty(0),
        )
        new = (
            self.w.new_zeros(2), self.w.new_full((2,), 5), self.w.new_tensor([1, 2]),
            self.w.new_ones(1, 2),
        )
        data = (
            torch.tensor([[1, 2], [3, 4]]), torch.tensor(1.5),
            torch.as_tensor([True]), torch.logspace(0, 2, 3),
        )
        return mix(self.w, *ranges, *filled, *like, *new, *data, torch.tril_indices(3, 3))


def build():
    return Model()


def step(model):
    return model()

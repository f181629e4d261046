"""argmax, topk and sort on equal values."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[3.0, 1.0, 3.0, 2.0], [0.0, 0.0, 0.0, 0.0]]))

    def forward(self):
        best, where = self.w.topk(2, dim=-1)
        ordered, order = self.w.sort(dim=-1, stable=True)
        falling, back = self.w.sort(dim=-1, descending=True, stable=True)
        return mix(best, ordered, order, falling, back, self.w.argmax(-1), self.w.argmin(-1))


def build():
    return Model()


def step(model):
    return model()

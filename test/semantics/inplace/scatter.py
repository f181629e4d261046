"""The scatter family, in place and not."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 6).view(2, 3))

    def forward(self):
        i = torch.tensor([[0, 2, 1], [1, 1, 0]])
        h = torch.zeros(3, 3).scatter_(0, i, self.w)
        k = (self.w * 2).scatter(1, i[:, :1], 0.5)
        a = torch.ones(2, 3).scatter_add_(1, i, self.w * 3)
        r = torch.ones(2, 3).scatter_reduce(1, i, self.w, reduce="amax")
        m = (self.w * 4).masked_scatter(self.w > 0, self.w.flatten())
        return mix(h, k, a, r, m)


def build():
    return Model()


def step(model):
    return model()

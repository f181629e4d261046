"""Running sums, products, maxima, and differences."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[0.5, -1.0, 2.0, 1.5], [1.0, 3.0, -0.5, 2.0]]))

    def forward(self):
        w = self.w
        sums = (
            w.cumsum(-1), w.cumsum(0), w.cumprod(1), torch.cumsum(w, dim=1).flip(-1),
            w.logcumsumexp(-1),
        )
        best, where = w.cummax(-1)
        return mix(
            *sums, best, where, w.cummin(0)[0], w.diff(), torch.diff(w, dim=0, prepend=w[:1]),
        )


def build():
    return Model()


def step(model):
    return model()

"""fill_, zero_, copy_ and their relatives cut the gradient where they overwrite."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[1.0, -2.0, 3.0], [0.5, 4.0, -1.5]]))

    def forward(self):
        h = self.w * 2
        h[0].fill_(0.5)
        k = self.w * 3
        k[:, 0].zero_()
        c = torch.zeros(2, 3)
        c.copy_(self.w)
        c[1].copy_(self.w[0] * 2)
        f = (self.w + 1).fill_(self.w.sum())
        e = torch.empty(2, 3).copy_(self.w.t()[:, 0].sum())
        return mix(h, k, c, f, e)


def build():
    return Model()


def step(model):
    return model()

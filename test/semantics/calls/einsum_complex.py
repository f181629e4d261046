"""einsum of three and four complex tensors, one pair after another."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.re = nn.Parameter(torch.linspace(-1, 1, 24).view(2, 3, 4))
        self.im = nn.Parameter(torch.linspace(2, -1, 24).view(2, 3, 4))

    def forward(self):
        x = torch.complex(self.re, self.im)
        a, b = x[0], x[1] * (1 - 0.5j)
        chain = torch.einsum("i j, k j, k l -> i l", a, b, a)
        kept = torch.einsum("ijh,ikh,ilh->jkl", x, x.conj(), x)
        four = torch.einsum("ij,ij,j,...j->...i", a, b, a[0], x)
        parts = [torch.view_as_real(it).flatten() for it in (chain, kept, four)]
        return torch.cat(parts)


def build():
    return Model()


def step(model):
    y = model()
    return (y * torch.linspace(-1, 2, y.numel())).sum()

"""einsum: products, contractions, transposition, diagonals, sums, broadcasting, Ellipsis."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 24).view(2, 3, 4))

    def forward(self):
        w, m = self.w, self.w[0]
        heads = torch.einsum("bid,bjd->bij", w, w), torch.einsum("bij,bjd->bid", w[:, :, :3], w)
        forms = torch.einsum("ij->ji", m), torch.einsum("bij->", w), torch.einsum("ii->i", m[:, :3])
        more = torch.einsum("i,j->ij", m[0], m[1]), torch.einsum("...d,...d->...", w, w)
        three = torch.einsum("bij,kj,bij->bk", w, m, w), torch.einsum("b i j, k j -> b i k", w, m)
        free = torch.einsum("ij,jk", m, m.t()), torch.einsum("bhd,d->bh", [w, m[2]])
        return mix(*heads, *forms, *more, *three, *free, torch.einsum("ii", m[:, :3]))


def build():
    return Model()


def step(model):
    return model()

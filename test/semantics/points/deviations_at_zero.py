"""std and var of equal values, with and without Bessel's correction."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[2.0, 2.0, 2.0], [1.0, 2.0, 4.0]]))

    def forward(self):
        w = self.w
        std = w.std(-1), w.std(dim=-1, unbiased=False), w.std(-1, correction=0), w.std(), w[0].std()
        var = w.var(-1), w.var(dim=-1, unbiased=False), torch.var(w, correction=1)
        return mix(*std, *var, *torch.var_mean(w, dim=-1), *torch.std_mean(w, 0))


def build():
    return Model()


def step(model):
    return model()

"""Division by 0, overflow of exp, inf minus inf, and what nan_to_num makes of them."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.0, 1.0, 100.0]))

    def forward(self):
        big = self.w.exp()
        odd = 1 / self.w, big - big.square(), torch.tanh(big), torch.sigmoid(-big)
        return mix(*(t.nan_to_num(nan=0.5, posinf=2.0, neginf=-3.0) for t in (big, *odd)))


def build():
    return Model()


def step(model):
    return model()

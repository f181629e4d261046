"""Functions of one element."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.3, 0.9, 1.7, 2.6]))

    def forward(self):
        w = self.w
        exps = (
            w.exp(), w.expm1(), w.exp2(), w.log(), w.log2(),
            w.log10(), w.log1p(), w.sqrt(), w.rsqrt(),
        )
        waves = (
            w.sin(), w.cos(), w.tan(), w.tanh(), w.sinh(), w.cosh(),
            w.atan(), (w / 3).asin(), (w / 3).acos(),
        )
        rest = (
            w.neg(), w.reciprocal(), w.square(), w.abs(), w.erf(),
            w.erfc(), w.lgamma(), w.sigmoid(), w.frac(),
        )
        return mix(*exps, *waves, *rest, torch.atan2(w, 2 - w), torch.hypot(w, w), w.logit(0.01))


def build():
    return Model()


def step(model):
    return model()

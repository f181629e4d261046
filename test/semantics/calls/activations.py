"""Activations as functions."""
import torch
from torch import nn
import torch.nn.functional as F


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-3, 3, 13))

    def forward(self):
        w = self.w
        gelus = (
            F.gelu(w), F.gelu(w, approximate="tanh"), F.silu(w),
            F.mish(w), F.softplus(w), F.elu(w, 0.5),
        )
        more = (
            F.relu(w) ** 2, F.leaky_relu(w), F.sigmoid(w), F.logsigmoid(w),
            F.softsign(w), F.celu(w, 2.0),
        )
        return mix(
            *gelus, *more, torch.tanh(w), w.sigmoid(), F.tanhshrink(w),
            F.softplus(w, 2, 1), w.erf(),
        )


def build():
    return Model()


def step(model):
    return model()

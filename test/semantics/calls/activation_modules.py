"""Activations as modules."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-3, 3, 12))
        self.acts = nn.ModuleList([
            nn.GELU(), nn.GELU("tanh"), nn.SiLU(), nn.ReLU(), nn.ELU(), nn.Tanh(),
        ])
        self.acts.extend([
            nn.Sigmoid(), nn.Mish(), nn.Softplus(), nn.LeakyReLU(0.2), nn.Hardswish(),
        ])
        self.acts.extend([nn.GLU(), nn.Identity(), nn.LogSigmoid(), nn.ReLU6(), nn.PReLU(3)])

    def forward(self):
        return mix(
            *(act(self.w.view(4, 3) if isinstance(act, nn.PReLU) else self.w) for act in self.acts),
        )


def build():
    return Model()


def step(model):
    return model()

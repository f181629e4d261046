"""clamp passes the gradient at its bounds; NaN stays NaN."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0]))

    def forward(self):
        w = self.w
        both = w.clamp(-1, 1), w.clip(-1, 1), torch.clamp(w, 1, -1)
        return mix(*both, w.clamp(min=0), w.clamp(max=1.0))


def build():
    return Model()


def step(model):
    return model()

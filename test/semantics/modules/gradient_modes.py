"""no_grad, enable_grad, set_grad_enabled and inference-style decorators, nested."""
import torch
from torch import nn


@torch.no_grad()
def doubled(x):
    return x * 2


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))

    def forward(self):
        with torch.no_grad():
            a = self.w * 2
            with torch.enable_grad():
                b = self.w * 3
        with torch.set_grad_enabled(False):
            c = self.w.exp()
        flag = 1.0 if b.requires_grad and not a.requires_grad and torch.is_grad_enabled() else 0.0
        return mix(a * b, c * self.w, doubled(self.w) * b) * flag


def build():
    return Model()


def step(model):
    return model()

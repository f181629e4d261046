"""Powers at 0 and of negative bases, by numbers and by tensors."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([-2.0, 0.0, 3.0]))
        self.e = nn.Parameter(torch.tensor([2.0, 0.0, 0.5]))

    def forward(self):
        w = self.w
        numbers = w.pow(2), w**3, w**0, w**1.0, w.pow(2.0), 2**w, (w.abs() + 1) ** -1.5
        return mix(*numbers, w.abs().pow(self.e), torch.pow(2.0, self.e), torch.float_power(w, 2))


def build():
    return Model()


def step(model):
    return model()

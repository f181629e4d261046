"""A quantiser whose gradient passes as if it were not there, within layers."""
import torch
from torch import nn
from torch.autograd import Function


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Rounded(Function):
    @staticmethod
    def forward(ctx, x, levels):
        return (x * levels).round() / levels

    @staticmethod
    def backward(ctx, gradient):
        return gradient, None


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 2)

    def forward(self):
        x = torch.linspace(-1, 1, 6).view(2, 3)
        return mix(self.second(Rounded.apply(self.first(x).tanh(), 4)))


def build():
    return Model()


def step(model):
    return model()

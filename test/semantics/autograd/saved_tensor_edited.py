"""A tensor that a function has saved is edited before its backward."""
import torch
from torch import nn
from torch.autograd import Function


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Scaled(Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(factor)
        return x * factor

    @staticmethod
    def backward(ctx, gradient):
        (factor,) = ctx.saved_tensors
        return gradient * factor, None


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.3, -1.7, 2.4]))

    def forward(self):
        factor = torch.ones(3)
        y = Scaled.apply(self.w, factor)
        factor.add_(1)
        return mix(y)


def build():
    return Model()


def step(model):
    return model()

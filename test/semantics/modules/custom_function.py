"""A function with a backward of its own: saved tensors, and a gradient that is not the true one."""
import torch
from torch import nn


class Clipped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return x.round() * scale

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * ctx.scale * (x.abs() < 2), None


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.3, -1.7, 2.4]))

    def forward(self):
        return mix((Clipped.apply(self.w * 1.5, 3.0) * 0.1).exp())


def build():
    return Model()


def step(model):
    return model()

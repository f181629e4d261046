"""A torch.autograd.Function that gives its argument as it is: PyTorch shows it as a view."""
import torch
from torch import nn


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.last = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        y = Scaled.apply(self.fc(x), 0.5)
        return self.last(y).pow(2).mean()


def build():
    torch.manual_seed(0)
    return Model()


def step(model):
    return model(torch.arange(12.0).view(3, 4).cos())

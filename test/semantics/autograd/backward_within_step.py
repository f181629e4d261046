"""backward() within the step leaves gradients that the step reads, clears, and adds to."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 2)

    def forward(self, x):
        inner = self.second(self.first(x).tanh()).square().mean()
        inner.backward()
        seen = self.first.weight.grad.clone()
        self.second.weight.grad = None
        self.second.bias.grad.zero_()
        y = torch.linspace(0, 1, 4).requires_grad_(True)
        (y * y * seen.sum()).sum().backward()
        return self.second(self.first(x)).exp().mean() + (seen.sum() * y.grad).sum()


def build():
    return Model()


def step(model):
    return model(torch.linspace(-1, 1, 6).view(2, 3))


GOLDEN = ("parameters", "modules")

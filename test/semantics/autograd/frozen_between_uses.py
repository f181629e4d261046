"""A parameter that requires no gradient in one of three passes: it gets that of the others."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.fc, self.late = nn.LayerNorm(3), nn.Linear(3, 2), nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(self.norm(x)).tanh() + self.late(x)


def build():
    return Model()


def step(model):
    x = torch.linspace(-1, 1, 12).view(4, 3) ** 3
    first = model(x)
    model.norm.weight.requires_grad_(False)
    model.late.requires_grad_(False)
    second = model(x * 2)
    assert not model.late(x).requires_grad
    model.norm.weight.requires_grad = True
    third = model(x + 1)
    return (first * second).sum() + third.pow(2).sum()

"""Leaves that factories make in forward have the gradient that arrives at them."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        noise = torch.randn(3, 4, requires_grad=True)
        y = self.fc(x + noise)
        (slope,) = torch.autograd.grad(y.pow(2).sum(), noise, create_graph=True)
        shift = torch.zeros(4, requires_grad=True)
        scale = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
        unused = torch.ones(2, requires_grad=True)
        return (y * (scale + shift)).mean() + ((slope.norm(2, dim=1) - 1) ** 2).mean() + unused.detach()[0]


def build():
    torch.manual_seed(0)
    return Model()


def step(model):
    return model(torch.arange(12.0).view(3, 4).cos())

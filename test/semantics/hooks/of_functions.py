"""Modes see torch's functions: what they give takes the place of the function's result."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode


class Smooth(TorchFunctionMode):
    """Rectifiers are made smooth, sums of tensors are counted."""

    def __init__(self):
        super().__init__()
        self.sums = 0

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func in (F.relu, torch.relu, torch.Tensor.relu):
            return F.gelu(*args)
        if func.__name__ == "add":
            self.sums += 1
        return func(*args, **(kwargs or {}))


class Scaled(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        return result * 0.5 if func is F.gelu else result


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.act = nn.Linear(4, 4), nn.Linear(4, 4), nn.ReLU()

    def forward(self, x):
        with Smooth() as smooth:
            y = torch.relu(self.a(x)) + self.act(self.b(x))
            z = y.relu() + 1
        with Scaled(), Smooth():
            u = self.act(z - 1)
        return (u + self.act(z - 2)).pow(2).mean() + smooth.sums


def build():
    torch.manual_seed(0)
    return Model()


def step(model):
    return model(torch.arange(12.0).view(3, 4).cos())

"""Scripted functions, modules and methods run as they are."""
import torch
from torch import Tensor, nn


@torch.jit.script
def bias_gelu(x: Tensor, bias: Tensor) -> Tensor:
    x = x + bias
    return x * 0.5 * (1.0 + torch.erf(x / 1.41421))


def shift(x):
    return x + 0.25


@torch.jit.script
def shifted(x: Tensor) -> Tensor:
    return shift(x)


# Compiled with the first.
def shift(x):
    return x * 100


class Scale(torch.jit.ScriptModule):
    __constants__ = ["width"]

    def __init__(self, width):
        super().__init__()
        self.width = width
        self.weight = nn.Parameter(torch.linspace(0.5, 1.5, width))

    @torch.jit.script_method
    def forward(self, x):
        return x * self.weight


class Model(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.up = nn.Linear(width, width, bias=False)
        self.bias = nn.Parameter(torch.zeros(width))
        self.scale = Scale(width)
        assert isinstance(self.scale, nn.Module) and isinstance(self.scale, torch.jit.ScriptModule)
        assert not isinstance(self.up, torch.jit.ScriptModule)

    @torch.jit.export
    def half(self, x: Tensor) -> Tensor:
        return x / 2

    def forward(self, x):
        return self.half(self.scale(shifted(bias_gelu(self.up(x), self.bias))))


def build():
    return Model()


def step(model):
    return model(torch.linspace(-1, 1, 12).view(3, 4)).square().sum()


GOLDEN = ("parameters",)

"""Modules that return tuples, dictionaries, dataclasses, and nothing."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Output:
    logits: torch.Tensor
    hidden: tuple


class Layer(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        y = self.fc(x)
        results = {"tuple": (y, None, x), "dict": {"y": y, "n": 3}, "data": Output(y, (x, y * 2))}
        return results.get(self.kind)


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({k: Layer(k) for k in ("tuple", "dict", "data", "none")})

    def forward(self):
        x = torch.linspace(-1, 1, 6).view(2, 3)
        y, _, _ = self.layers["tuple"](x)
        z = self.layers["dict"](y)["y"]
        out = self.layers["data"](z)
        self.layers["none"](z)
        return mix(out.logits, *out.hidden)


def build():
    return Model()


def step(model):
    return model()

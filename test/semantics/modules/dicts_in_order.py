"""A plain dict fills a ParameterDict in the order of its keys' names; what has an order keeps it."""
from collections import OrderedDict

import torch
from torch import nn


def made(n):
    return nn.Parameter(torch.linspace(-1, 1, n))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.plain = nn.ParameterDict({"z": made(2), "a": made(3), "m": torch.ones(1)})
        self.ordered = nn.ParameterDict(OrderedDict(z=made(2), a=made(3)))
        self.pairs = nn.ParameterDict([("z", made(2)), ("a", made(3))])
        self.plain.update({"y": made(4), "b": made(5)})
        self.modules_plain = nn.ModuleDict({"z": nn.Linear(1, 2), "a": nn.Linear(1, 1)})
        self.modules_plain.update({"y": nn.Linear(1, 1), "b": nn.Linear(1, 1)})

    def forward(self):
        total = sum(p.exp().sum() for d in (self.plain, self.ordered, self.pairs) for p in d.values())
        return total + sum(m(torch.ones(1)).sum() for m in self.modules_plain.values())


def build():
    return Model()


def step(model):
    return model()

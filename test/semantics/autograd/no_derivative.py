"""Distinct values have no derivative: the backward pass says so."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 6).view(2, 3))

    def forward(self):
        return self.w.unique().sum()


def build():
    return Model()


def step(model):
    return model()

"""A gradient hook that gives back what cannot take the gradient's place."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self):
        h = self.fc(torch.linspace(-1, 1, 12).view(4, 3))
        h.register_hook(lambda g: 3.0)
        return h.sum()


def build():
    return Model()


def step(model):
    return model()

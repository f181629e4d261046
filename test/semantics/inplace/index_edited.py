"""Integers that have picked elements are kept for the gradient: an edit of them is refused."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self):
        y = self.fc(torch.linspace(-1, 1, 12).view(4, 3))
        i = torch.tensor([0, 2])
        picked = y[i]
        i.add_(1)
        return picked.sum()


def build():
    return Model()


def step(model):
    return model()

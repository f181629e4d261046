"""one_hot of a class that only the step computes."""
import torch
from torch import nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self):
        x = torch.linspace(-1, 1, 12).view(4, 3)
        return (F.one_hot(torch.arange(4) + 1, 4) * self.fc(x).sum()).sum()


def build():
    return Model()


def step(model):
    return model()

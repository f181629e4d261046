"""What binary_cross_entropy takes must be between 0 and 1."""
import torch
from torch import nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self):
        x = torch.linspace(-1, 1, 12).view(4, 3)
        return F.binary_cross_entropy(self.fc(x) + 2, torch.ones(4, 3))


def build():
    return Model()


def step(model):
    return model()

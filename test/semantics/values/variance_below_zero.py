"""A variance that only the step computes is below 0."""
import torch
from torch import nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self):
        x = torch.linspace(-1, 1, 12).view(4, 3)
        return F.gaussian_nll_loss(self.fc(x), torch.ones(4, 3), -self.fc(x).exp())


def build():
    return Model()


def step(model):
    return model()

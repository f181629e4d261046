"""The mean over no target is NaN."""
import torch
from torch import nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-2, 2, 6).view(2, 3))

    def forward(self):
        return F.cross_entropy(self.w, torch.tensor([-100, -100]))


def build():
    return Model()


def step(model):
    return model()

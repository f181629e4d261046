"""Dropout between recurrent layers draws as PyTorch does."""
import torch
from torch import nn

MODE = "train"


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 4, num_layers=3, dropout=0.4)

    def forward(self):
        y, _ = self.lstm(torch.linspace(-1, 1, 24).view(4, 2, 3))
        return mix(y)


def build():
    return Model()


def step(model):
    return model()

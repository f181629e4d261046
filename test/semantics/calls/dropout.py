"""Dropout in training, module and function: the mask comes from PyTorch's generator."""
import torch
from torch import nn
import torch.nn.functional as F

MODE = "train"


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(1, 2, 40).view(4, 10))
        self.drop = nn.Dropout(0.3)

    def forward(self):
        masks = (
            self.drop(self.w), F.dropout(self.w, p=0.5), self.w.softmax(-1).add(0),
            F.dropout(self.w, 0.0),
        )
        return mix(*masks, F.dropout(self.w, 0.9, training=False), F.dropout(self.w, 1.0))


def build():
    return Model()


def step(model):
    return model()

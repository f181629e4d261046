"""Group norm, batch norm in training, instance norm, and normalize."""
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
        self.w = nn.Parameter(torch.linspace(-1, 2, 24).view(2, 4, 3).square())
        self.group = nn.GroupNorm(2, 4)
        self.batch = nn.BatchNorm1d(4)

    def forward(self):
        normed = (
            self.group(self.w), self.batch(self.w), F.normalize(self.w, dim=1),
            F.normalize(self.w, p=1),
        )
        return mix(
            *normed, F.instance_norm(self.w), self.batch.running_mean, self.batch.running_var,
        )


def build():
    return Model()


def step(model):
    return model()

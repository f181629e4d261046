"""Normalisation in training: statistics of the batch, and those that are kept."""
import torch
from torch import nn

MODE = "train"


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.batch = nn.BatchNorm1d(3)
        self.cumulative = nn.BatchNorm2d(2, momentum=None, affine=False)
        self.instance = nn.InstanceNorm1d(3, affine=True)
        self.group = nn.GroupNorm(1, 3, bias=False)
        self.local = nn.LocalResponseNorm(2)

    def forward(self):
        x = torch.linspace(-1, 2, 24).view(2, 3, 4).exp()
        y = self.batch(self.batch(x))
        z = self.cumulative(x.view(2, 2, 3, 2))
        kept = (self.batch.running_mean, self.batch.running_var, self.cumulative.running_mean)
        return mix(y, z, self.instance(x), self.group(x), self.local(x), *kept)


def build():
    return Model()


def step(model):
    return model()

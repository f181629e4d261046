"""Normalised samples are a view of a batch: what is edited after it keeps no hook of before."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(2, 4, 3), nn.InstanceNorm2d(4), nn.LeakyReLU(0.2, inplace=True))
        self.second = nn.Sequential(nn.Conv2d(4, 4, 3), nn.InstanceNorm2d(4, affine=True), nn.ReLU(inplace=True))
        self.plain = nn.Sequential(nn.Conv1d(4, 3, 2), nn.InstanceNorm1d(3), nn.ReLU())
        self.batch = nn.Sequential(nn.Conv2d(4, 3, 1), nn.BatchNorm2d(3), nn.ReLU(inplace=True))

    def forward(self, x):
        x = self.second(self.first(x))
        y = self.plain(x.flatten(2))
        normal = nn.functional.instance_norm(x)
        return y.pow(2).sum() + self.batch(x).sum() + (normal * torch.linspace(0, 1, x.numel()).view(x.shape)).sum()


def build():
    return Model()


def step(model):
    return model(torch.linspace(-2, 2, 2 * 2 * 8 * 9).sin().view(2, 2, 8, 9))

"""In training mode dropout draws from the generator, except where a module was set to eval."""
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
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 4))
        self.still = nn.Dropout(0.5)

    def forward(self):
        self.still.eval()
        x = torch.linspace(-1, 1, 12).view(3, 4)
        y = F.dropout(self.net(x), 0.25, self.training)
        return mix(self.still(y), F.dropout(y, 0.9, training=False))


def build():
    return Model()


def step(model):
    return model()

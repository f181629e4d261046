"""Equal numbers share the gradient of the median of all; of a window the first, row by row, has it."""
import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[1.0, 2.0, 2.0, 0.0], [0.0, 0.0, -1.0, 3.0], [2.0, 2.0, 2.0, 2.0]]))
        self.unknown = nn.Parameter(torch.tensor([1.0, 2.0, torch.nan, 2.0, 5.0, 2.0]))
        self.maps = nn.Parameter(torch.tensor([[0, 1, 1, 0, 2], [1, 1, 0, 2, 2], [1, 0, 0, 2, 2]])[None, None].float())

    def forward(self):
        w = self.w
        windows = F.adaptive_max_pool1d(w[None], 3)
        maps = F.adaptive_max_pool2d(self.maps, (2, 3))
        volumes = F.adaptive_max_pool3d(self.maps, (1, 2, 2))
        return w.median() + 2 * w.nanmedian() + self.unknown.nanmedian() + mix(windows, maps, volumes)


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


def build():
    return Model()


def step(model):
    return model()

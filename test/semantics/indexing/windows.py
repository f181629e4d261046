"""unfold, as_strided, roll, flip and rot."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 12).view(3, 4))

    def forward(self):
        w = self.w
        windows = (
            w.unfold(1, 2, 1), w.as_strided((2, 2), (4, 1), 1),
            w.roll(1), w.roll((1, -1), (0, 1)),
        )
        return mix(
            *windows, w.flip(0), w.flip((0, 1)), torch.flip(w, dims=[-1]),
            w.fliplr(), w.rot90(),
        )


def build():
    return Model()


def step(model):
    return model()

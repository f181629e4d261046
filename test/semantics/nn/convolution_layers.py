"""Convolutions with padding by name and by mode, groups, dilation; transposed to a size."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.same = nn.Conv2d(2, 4, 3, padding="same", dilation=2, groups=2)
        self.circular = nn.Conv1d(2, 3, 3, padding=1, padding_mode="circular")
        self.reflected = nn.Conv2d(2, 2, (3, 1), padding=(1, 0), padding_mode="reflect", bias=False)
        self.up = nn.ConvTranspose2d(4, 2, 3, stride=2, padding=1)
        self.lazy = nn.LazyConv2d(3, 2)
        self.lazy(torch.zeros(1, 2, 4, 5))

    def forward(self):
        x = torch.linspace(-1, 1, 80).view(2, 2, 4, 5)
        up = self.up(self.same(x), output_size=(8, 10))
        return mix(up, self.circular(x[:, :, 0]), self.reflected(x), self.lazy(x))


def build():
    return Model()


def step(model):
    return model()

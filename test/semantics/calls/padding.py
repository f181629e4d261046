"""pad with constants and copies, one_hot, meshgrid."""
import torch
from torch import nn
import torch.nn.functional as F


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 6).view(1, 2, 3))

    def forward(self):
        padded = (
            F.pad(self.w, (1, 2)), F.pad(self.w, (0, 0, 1, 1), value=2.0),
            F.pad(self.w, (-1, 1)),
        )
        copied = F.pad(self.w, (1, 1), mode="replicate"), F.pad(self.w, (2, 1), mode="reflect")
        rows, columns = torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij")
        return mix(
            *padded, *copied, F.one_hot(rows, 4), columns,
            F.pad(self.w, (2, 0), mode="circular"),
        )


def build():
    return Model()


def step(model):
    return model()

"""True division, floor division, remainder and fmod of negative numbers, integer and float."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([7.5, -7.5, 7.0, -7.0]))

    def forward(self):
        i = torch.tensor([7, -7, 9, -9])
        ints = i / 2, i // 2, i % 4, i % -4, torch.fmod(i, 4), i // torch.tensor([2, 2, -2, -2])
        rounded = torch.div(i, 2, rounding_mode="floor"), torch.div(i, 2, rounding_mode="trunc")
        w = self.w
        floats = w.detach() // 2, w % 4, w % -4, torch.fmod(w, 4), torch.floor_divide(i, 4)
        turned = (
            20 // i, 20 % i, 1 / i, torch.remainder(self.w, self.w.abs() - 2),
            torch.true_divide(i, 3),
        )
        return mix(*ints, *rounded, *floats, *turned)


def build():
    return Model()


def step(model):
    return model()

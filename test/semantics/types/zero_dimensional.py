"""A tensor without dimensions counts like a Python number of its category."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))

    def forward(self):
        zero = torch.tensor(2), torch.tensor(0.5, dtype=torch.float64), torch.tensor(True)
        total = mix(zero[0] * zero[1], zero[1] + zero[2])
        for dtype in (torch.bool, torch.int32, torch.float16, torch.bfloat16, torch.float32):
            t = torch.tensor([1, 0, 1]).to(dtype)
            total = total + mix(*(t * z for z in zero))
        return mix(self.w * zero[1]) * total


def build():
    return Model()


def step(model):
    return model()

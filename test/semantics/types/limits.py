"""finfo and iinfo, and masks made from them."""
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
        low, eps = torch.finfo(self.w.dtype).min, torch.finfo(torch.float16).eps
        masked = self.w.masked_fill(self.w < 0, low)
        biggest = torch.full((3,), torch.iinfo(torch.int32).max, dtype=torch.int32)
        kept = torch.promote_types(torch.int32, torch.float16) == torch.float16
        return mix(masked.softmax(0), self.w * eps, biggest % 7) * (1 + kept)


def build():
    return Model()


def step(model):
    return model()

"""where, cat, stack and maximum promote as addition does."""
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
        i, h, flag = (
            torch.tensor([1, 2, 3]), torch.tensor([0.1, 0.2, 0.3]).half(),
            torch.tensor([1, 0, 1]) > 0,
        )
        a = torch.where(flag, i, 0.5), torch.where(flag, h, 2), torch.where(flag, i, h)
        b = torch.cat([i, h]), torch.stack([self.w, i]), torch.maximum(i, flag)
        return mix(*a, *b, torch.where(flag, self.w, i), torch.where(flag, 1.0, 2.0))


def build():
    return Model()


def step(model):
    return model()

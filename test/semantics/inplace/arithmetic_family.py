"""In-place functions of several tensors."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.3, 0.8, 1.6, 2.5]))

    def forward(self):
        h = self.w.clone()
        h.addcmul_(self.w, self.w + 1, value=0.5)
        h.addcdiv_(self.w, self.w + 2, value=-1)
        h.lerp_(self.w, 0.25)
        h.pow_(2)
        h.div_(self.w)
        h.clamp_min_(0.4)
        h.masked_fill_(self.w > 2, 0.125)
        return mix(h)


def build():
    return Model()


def step(model):
    return model()

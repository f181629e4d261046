"""Numbers that Python looks at: item, float, int, bool, tolist, len, loops, comparisons, text."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.25, -1.5, 2.5]))

    def forward(self):
        h = self.w * 2
        scale = h.max().item() + float(h[0]) + int(h[2]) + len(h)
        if h.sum() > 0 and bool((h > 4).any()):
            h = h * scale
        for value in h.tolist()[:2]:
            h = h + round(value, 3)
        names = f"{h[0]:.2f}", str(h.shape), "float32" in repr(h.dtype)
        while h.abs().max() > 50:
            h = h / 2
        return mix(h) * len(names[0])


def build():
    return Model()


def step(model):
    return model()

"""where stops the gradient of the branch not taken, but 0 times infinity is NaN."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([-1.0, 0.0, 4.0]))

    def forward(self):
        root = torch.where(self.w > 0, self.w.sqrt(), self.w * 2)
        safe = torch.where(self.w > 0, self.w, 1.0).log()
        return mix(root, safe)


def build():
    return Model()


def step(model):
    return model()

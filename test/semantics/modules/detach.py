"""detach and clone, and the straight-through estimator made from them."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.3, -1.7, 2.4]))

    def forward(self):
        quantised = self.w + (self.w.round() - self.w).detach()
        stopped = (self.w * 2).detach() * self.w
        copied = self.w.clone().detach().clone() + self.w.detach().clone().requires_grad_()
        return mix(quantised * 3, stopped, copied)


def build():
    return Model()


def step(model):
    return model()

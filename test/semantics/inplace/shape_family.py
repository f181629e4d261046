"""unsqueeze_, squeeze_, t_ and transpose_ change the tensor's own shape."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 6).view(2, 3))

    def forward(self):
        h = self.w * 2
        h.t_()
        h.unsqueeze_(0)
        k = h.mul(2)
        k.transpose_(1, 2)
        k.squeeze_(0)
        return mix(h, k)


def build():
    return Model()


def step(model):
    return model()

"""A module that is made within forward, and one that is kept outside the registry."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = [nn.Linear(3, 3)]

    def forward(self):
        x = torch.linspace(-1, 1, 6).view(2, 3)
        norm = nn.LayerNorm(3, elementwise_affine=False)
        return mix(norm(self.hidden[0](x)), nn.Softmax(dim=-1)(x).requires_grad_())


def build():
    return Model()


def step(model):
    return model()

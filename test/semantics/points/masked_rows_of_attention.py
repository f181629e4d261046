"""scaled_dot_product_attention gives 0 where every key is masked, and a gradient of 0."""
import torch
from torch import nn
import torch.nn.functional as F


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Parameter(torch.linspace(-1, 1, 12).view(1, 1, 3, 4))
        self.k = nn.Parameter(torch.linspace(1, -2, 12).view(1, 1, 3, 4))
        self.v = nn.Parameter(torch.linspace(-2, 2, 12).view(1, 1, 3, 4))

    def forward(self):
        keep = torch.tensor([[1, 1, 0], [0, 0, 0], [0, 0, 1]]).bool()
        return mix(F.scaled_dot_product_attention(self.q, self.k, self.v, attn_mask=keep))


def build():
    return Model()


def step(model):
    return model()

"""Rotary embeddings by halves and by interleaved pairs, in real numbers."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(4, 8, bias=False)

    def forward(self):
        x = torch.linspace(-1, 1, 24).view(2, 3, 4)
        q = self.q(x).view(2, 3, 2, 4).transpose(1, 2)
        inverse = 1.0 / (10000 ** (torch.arange(0, 4, 2).float() / 4))
        angles = torch.einsum("i,j->ij", torch.arange(3.0), inverse)
        both = torch.cat((angles, angles), dim=-1)
        left, right = q[..., :2], q[..., 2:]
        halves = q * both.cos() + torch.cat((-right, left), dim=-1) * both.sin()
        even, odd = q[..., ::2], q[..., 1::2]
        turned = torch.stack((-odd, even), dim=-1).flatten(-2)
        twice = angles.repeat_interleave(2, -1)
        woven = q * twice.cos() + turned * twice.sin()
        return mix(halves, woven)


def build():
    return Model()


def step(model):
    return model()

"""nn.MultiheadAttention: self, cross, masks, weights, padding."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.MultiheadAttention(4, 2, batch_first=True)
        self.cross = nn.MultiheadAttention(4, 2, kdim=3, vdim=3)

    def forward(self):
        x = torch.linspace(-1, 1, 24).view(2, 3, 4)
        y, weights = self.attn(x, x, x)
        future = torch.ones(3, 3).triu(1).bool()
        masked, none = self.attn(x, x, x, attn_mask=future, need_weights=False, is_causal=True)
        padded, _ = self.attn(x, x, x, key_padding_mask=torch.tensor([[0, 0, 1], [0, 0, 0]]).bool())
        other, heads = self.cross(x, x[..., :3], x[..., 1:], average_attn_weights=False)
        return mix(y, weights, masked, padded, other, heads)


def build():
    return Model()


def step(model):
    return model()

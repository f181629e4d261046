"""MultiheadAttention with extra keys, other widths, masks of every kind, without a batch."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.extended = nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True)
        self.bare = nn.MultiheadAttention(4, 2, bias=False, batch_first=True)
        self.wide = nn.MultiheadAttention(4, 2, kdim=3, vdim=5)

    def forward(self):
        x = torch.linspace(-1, 1, 24).view(3, 2, 4)
        y = torch.linspace(-2, 1, 40).view(4, 2, 5)
        hidden = torch.tensor([[False, False, True], [False, False, False]])
        added = torch.linspace(-1, 0, 36).view(4, 3, 3)
        a, weights = self.extended(x, x, x, key_padding_mask=hidden, attn_mask=added)
        b, _ = self.bare(x, x, x, need_weights=False)
        c, _ = self.wide(x, y[..., :3], y, need_weights=False)
        d, heads = self.extended(x[:, 0], x[:, 1], x[:, 1], average_attn_weights=False)
        placed = x + 0.5
        e, _ = self.bare(placed, placed, x)
        return mix(a, weights, b, c, d, heads, e)


def build():
    return Model()


def step(model):
    return model()

"""TransformerEncoder in evaluation without gradients: zeros where the padding mask hides, before the last norm."""

import torch
from torch import nn

# PyTorch packs rows only where nothing watches: in construction.
GOLDEN = ("buffers", "parameters", "modules")


def encoder(norm=None, **options):
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, batch_first=True, **options)
    return nn.TransformerEncoder(layer, 2, norm=norm).eval()


def seen():
    """What encoders of every kind make of masks of every kind."""
    x = torch.randn(3, 5, 8)
    left = torch.tensor([[0, 0, 0, 1, 1], [0, 0, 0, 0, 1], [0, 0, 1, 1, 1]]).bool()
    middle = torch.tensor([[0, 1, 0, 1, 0], [0, 0, 0, 0, 1], [0, 0, 1, 1, 1]]).bool()
    kept = [
        encoder(),
        encoder(nn.LayerNorm(8), activation="gelu"),
        encoder(norm_first=True),
        encoder(bias=False),
    ]
    nn.init.normal_(kept[1].norm.bias)
    masks = (left, middle, torch.zeros(3, 5).masked_fill(left, float("-inf")))
    with torch.no_grad():
        found = [one(x, src_key_padding_mask=mask) for one in kept for mask in masks]
    found.append(kept[0](x, src_key_padding_mask=left).detach())
    for p in kept[1].parameters():
        p.requires_grad_(False)
    found.append(kept[1](x, src_key_padding_mask=left))
    return torch.stack(found)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", seen())
        self.head = nn.Linear(8, 3)

    def forward(self):
        return self.head(self.seen)


def build():
    return Model()


def step(model):
    return model().pow(2).sum()

"""Decoder layers with both orders of norm, masks and padding; an encoder that finds its mask causal."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerDecoderLayer(8, 2, 16, norm_first=True, activation=nn.SiLU())
        self.stack = nn.TransformerDecoder(layer, 2, nn.LayerNorm(8))
        self.post = nn.TransformerDecoderLayer(8, 4, 16, bias=False)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), 2)

    def forward(self):
        x = torch.linspace(-1, 1, 48).view(3, 2, 8).sin()
        memory = torch.linspace(-2, 1, 64).view(4, 2, 8).cos()
        causal = torch.ones(3, 3).triu(1).bool()
        hidden = torch.tensor([[False, True, True, False], [False, False, False, True]])
        y = self.stack(x, memory, tgt_mask=causal, memory_key_padding_mask=hidden)
        z = self.post(x, memory, memory_mask=torch.linspace(-1, 1, 12).view(3, 4))
        return mix(y, z, self.encoder(x, mask=causal))


def build():
    return Model()


def step(model):
    return model()

"""The encoder-decoder Transformer with masks, initialised as PyTorch does."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Transformer(8, 2, 2, 1, 16, batch_first=True, activation="gelu")

    def forward(self):
        source = torch.linspace(-1, 1, 48).view(2, 3, 8).sin()
        target = torch.linspace(-2, 2, 64).view(2, 4, 8).cos()
        causal = nn.Transformer.generate_square_subsequent_mask(4)
        return mix(self.net(source, target, tgt_mask=causal, tgt_is_causal=True))


def build():
    return Model()


def step(model):
    return model()

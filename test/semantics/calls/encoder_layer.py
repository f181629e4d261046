"""nn.TransformerEncoderLayer, norm first and last, and a stack of copies of one."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.post = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)
        self.pre = nn.TransformerEncoderLayer(
            4, 2, 8, 0.0, "gelu", batch_first=True, norm_first=True,
        )
        self.stack = nn.TransformerEncoder(self.pre, 2, enable_nested_tensor=False)

    def forward(self):
        x = torch.linspace(-1, 1, 24).view(2, 3, 4).sin()
        mask = nn.Transformer.generate_square_subsequent_mask(3)
        return mix(
            self.post(x), self.pre(x, src_mask=mask), self.stack(x, mask=mask, is_causal=True),
        )


def build():
    return Model()


def step(model):
    return model()

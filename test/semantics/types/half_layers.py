"""A block in float16: linear, layer norm, softmax, attention."""
import torch
from torch import nn
import torch.nn.functional as F


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8).half()
        self.norm = nn.LayerNorm(8).half()

    def forward(self):
        x = torch.linspace(-1, 1, 32).view(1, 4, 8).half()
        q = self.fc(self.norm(x)).view(1, 4, 2, 4).transpose(1, 2)
        weights = torch.softmax(q @ q.transpose(-2, -1) / 2, dim=-1)
        wide = torch.softmax(q @ q.transpose(-2, -1), dim=-1, dtype=torch.float32)
        y = F.scaled_dot_product_attention(q, q, q, is_causal=True)
        return mix(*(t.float() for t in (weights @ q, wide, y, F.gelu(q), F.silu(q))))


def build():
    return Model()


def step(model):
    return model()

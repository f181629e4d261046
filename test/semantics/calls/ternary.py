"""addcmul, addcdiv, lerp, sub and add with alpha, clamp by tensors, rsub."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.tensor([0.3, -0.9, 1.7]))
        self.b = nn.Parameter(torch.tensor([1.5, 0.5, -2.5]))

    def forward(self):
        a, b = self.a, self.b
        fused = (
            torch.addcmul(a, a, b, value=2), torch.addcdiv(a, b, a),
            torch.lerp(a, b, 0.3), a.lerp(b, a.sigmoid()),
        )
        scaled = (
            torch.add(a, b, alpha=3), torch.sub(a, b, alpha=0.5),
            a.sub(1), torch.rsub(a, 2), a.mul(b).div(3),
        )
        return mix(
            *fused, *scaled, a.clamp(min=b, max=torch.ones(3)), torch.minimum(a, b), a.dist(b),
        )


def build():
    return Model()


def step(model):
    return model()

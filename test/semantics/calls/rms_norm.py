"""RMS norm: PyTorch's own, and as people write it."""
import torch
from torch import nn
import torch.nn.functional as F


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 2, 24).view(2, 3, 4))
        self.norm = nn.RMSNorm(4, eps=1e-5)
        self.bare = nn.RMSNorm((3, 4), elementwise_affine=False)

    def forward(self):
        w, gain = self.w, self.norm.weight
        written = w * torch.rsqrt(w.pow(2).mean(-1, keepdim=True) + 1e-5) * gain
        rooted = gain * w / torch.sqrt((w * w).mean(dim=-1, keepdim=True) + 1e-5)
        normed = w * (w.norm(2, dim=-1, keepdim=True) * 4**-0.5 + 1e-5).reciprocal()
        return mix(self.norm(w), self.bare(w), written, rooted, normed, F.rms_norm(w, (4,), gain))


def build():
    return Model()


def step(model):
    return model()

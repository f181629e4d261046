"""Every in-place function of one element: new value, gradient of the chain."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.3, 0.8, 1.6, 2.5]))

    def forward(self):
        h = self.w * 1
        for name in ["exp_", "log_", "sqrt_", "rsqrt_", "neg_", "abs_", "sigmoid_", "tanh_"]:
            h = getattr(h + 1.5, name)()
        return mix((h + 0).clamp_(-0.5, 0.9), (h + 0).square_(), (h + 2).reciprocal_())


def build():
    return Model()


def step(model):
    return model()

"""Properties of a tensor that code asks for."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 6).view(2, 3))

    def forward(self):
        t = self.w.t()
        sizes = t.dim(), t.ndim, t.numel(), t.size(0), t.shape[-1], *t.stride(), t.storage_offset()
        kinds = t.is_contiguous(), t.is_floating_point(), t.dtype == torch.float32, t.element_size()
        others = (
            t.device.type == "cpu", t.requires_grad, t.is_leaf,
            self.w.is_leaf, torch.is_tensor(t),
        )
        return mix(t) * sum(k * int(v) for k, v in enumerate((*sizes, *kinds, *others, len(t))))


def build():
    return Model()


def step(model):
    return model()

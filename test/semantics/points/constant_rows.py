"""layer_norm, rms_norm and softmax of rows that are constant or 0."""
import torch
from torch import nn
import torch.nn.functional as F


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        rows = [2.0, 2.0, 2.0, 2.0], [0.0, 0.0, 0.0, 0.0], [1.0, -2.0, 0.5, 4.0]
        self.w = nn.Parameter(torch.tensor(rows))

    def forward(self):
        w = self.w
        shape = (4,)
        plain = F.layer_norm(w, shape), F.rms_norm(w, shape, eps=1e-6), F.rms_norm(w, shape)
        return mix(*plain, w.softmax(-1), F.cosine_similarity(w, w.flip(0), dim=-1))


def build():
    return Model()


def step(model):
    return model()

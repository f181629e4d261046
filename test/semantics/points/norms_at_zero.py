"""The gradient of a norm at 0 is 0, for every kind of norm."""
import torch
from torch import nn
import torch.nn.functional as F


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[0.0, 0.0, 0.0], [3.0, 0.0, -4.0]]))

    def forward(self):
        w = self.w
        plain = w.norm(dim=-1), w[0].norm(), w.norm(1, dim=-1), w.norm(float("inf"), dim=-1)
        linalg = torch.linalg.vector_norm(w, dim=1), torch.linalg.norm(w, dim=-1), w.norm(3, dim=-1)
        return mix(*plain, *linalg, F.normalize(w, dim=-1), w.norm(p=2, dim=-1, keepdim=True))


def build():
    return Model()


def step(model):
    return model()

"""topk, sort, argsort, kthvalue, unique and expert routing."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[0.3, -1.0, 2.0, 0.7], [1.5, 0.2, -0.4, 0.9]]))

    def forward(self):
        values, chosen = torch.topk(self.w, 2, dim=-1)
        weights = values.softmax(-1)
        least, _ = self.w.topk(1, largest=False)
        ordered, order = torch.sort(self.w, dim=-1, descending=True)
        routed = torch.zeros_like(self.w).scatter(-1, chosen, weights)
        counts = torch.bincount(chosen.flatten(), minlength=4), chosen.unique(), self.w.argsort(-1)
        return mix(routed, least, ordered, order, *counts, self.w.kthvalue(2, dim=-1)[0])


def build():
    return Model()


def step(model):
    return model()

"""cross_entropy in every form: weights, ignored targets, smoothing, reductions, probabilities."""
import torch
from torch import nn
import torch.nn.functional as F


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-2, 2, 12).view(4, 3))

    def forward(self):
        w, t, weight = self.w, torch.tensor([2, 0, -100, 1]), torch.tensor([0.5, 1.0, 2.0])
        forms = (
            F.cross_entropy(w, t), F.cross_entropy(w, t, weight=weight),
            F.cross_entropy(w, t, reduction="sum"),
        )
        more = F.cross_entropy(w, t, label_smoothing=0.1), F.cross_entropy(w, t % 3, ignore_index=1)
        none = F.cross_entropy(w, t, reduction="none"), F.cross_entropy(w, w.softmax(-1).detach())
        deep = (
            F.cross_entropy(w.view(2, 2, 3).transpose(1, 2), t.view(2, 2)),
            F.cross_entropy(w[0], t[0]),
        )
        return mix(
            *forms, *more, *none, *deep, nn.CrossEntropyLoss(weight, label_smoothing=0.2)(w, t),
        )


def build():
    return Model()


def step(model):
    return model()

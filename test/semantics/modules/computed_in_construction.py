"""What __init__ computes of parameters keeps its numbers, and its gradient reaches them."""
import torch
from torch import nn
import torch.nn.functional as F


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.tensor([0.3, -1.7, 2.4]))
        self.b = nn.Parameter(torch.tensor([[1.0, 2.0, -0.5], [0.1, 0.2, 0.3]]))
        self.changed = nn.Parameter(torch.tensor([0.5, -0.25]))
        self.before = self.changed * 3
        self.doubled = self.a * 2
        self.table = torch.cat([self.a[None], self.b]).softmax(-1)
        self.turned = self.table.t()
        self.parts = self.b.exp().unbind(0)
        self.best = self.b.max(1)
        self.counted = self.a.detach() + self.a.data
        self.frozen = self.doubled.detach()
        self.register_buffer("kept", self.a.sin())
        edited = self.b * 1.5
        edited[0] = self.a
        edited.mul_(2)
        edited[:, 1].add_(self.a[:2])
        self.edited = edited
        self.own = nn.Parameter(self.a * 3)
        with torch.no_grad():
            self.constant = self.a * 5
            self.changed.add_(10)
        self.flags = [
            self.doubled.requires_grad,
            self.doubled.is_leaf,
            self.table.requires_grad,
            self.turned.requires_grad,
            self.frozen.requires_grad,
            self.constant.requires_grad,
            self.own.is_leaf,
            torch.zeros_like(self.a).requires_grad,
            self.a.argmax().requires_grad,
            self.edited.requires_grad,
        ]

    def forward(self):
        assert self.flags == [True, False, True, True, False, False, True, False, False, True], self.flags
        x = self.doubled * self.a
        y = F.linear(self.b, self.table)
        held = mix(*self.parts, self.best.values, self.turned @ self.table)
        still = mix(self.counted, self.frozen, self.constant, self.kept, self.own)
        return mix(x, y, self.edited, self.before * self.changed) + held + still


def build():
    return Model()


def step(model):
    return model()

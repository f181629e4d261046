"""Numbers that Python looks at: loops with a computed end, branches, sizes, formatting."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.x = nn.Parameter(torch.linspace(-1, 1, 12).view(3, 4))

    def forward(self):
        x = self.x
        rounds = 0
        while x.norm() > 0.7 and rounds < 5:
            x = torch.tanh(self.layer(x))
            rounds += 1
        largest = x.abs().amax(-1)
        if largest.max().item() > 0.2:
            x = x * 2
        lengths = (largest * 40).long().clamp(1, 4).tolist()
        parts = [row[:length].sum() for row, length in zip(x, lengths)]
        kept = x[largest > float(largest.median())]
        start = int(largest.argmax())
        return torch.stack(parts).prod() + kept.sum() + x[start:].sum() + rounds + len(kept)


def build():
    return Model()


def step(model):
    return model()

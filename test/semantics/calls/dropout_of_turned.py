"""Dropout follows the memory of what it is given: elementwise calls keep the order of their first operand."""

import torch
import torch.nn.functional as F
from torch import nn

MODE = "train"


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Conv1d(3, 6, 3, padding=1)
        self.times = nn.Linear(2, 6)
        self.drop = nn.Dropout(0.4)
        self.out = nn.Linear(6, 1)

    def forward(self, x, mark):
        turned = self.tokens(x.permute(0, 2, 1)).transpose(1, 2)
        first = self.drop(turned + self.times(mark))
        second = self.drop(self.times(mark) + turned)
        third = self.drop((F.gelu(turned) * 2).contiguous())
        fourth = F.dropout(first.exp() + 1, 0.2)
        fifth = self.drop(self.out(first + second))
        return first.sum() + second.pow(2).sum() + third.sum() + fourth.mean() + fifth.sum()


def build():
    return Model()


def step(model):
    return model(torch.randn(2, 5, 3), torch.randn(2, 5, 2))

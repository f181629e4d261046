"""What each step leaves for the next outside of buffers: a hidden state, a count, Python's random
numbers, a network that follows another. What is only put aside is none of these.
"""
import copy
import random

import torch
from torch import nn
import torch.nn.functional as F

MODE = "train"


class Carried(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(12, 8)
        self.memory = nn.LSTM(8, 8, batch_first=True)
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(4))
        self.head = nn.Linear(8, 12)
        self.target = copy.deepcopy(self.head).requires_grad_(False)
        self.state = None
        self.calls = 0
        self.last = None

    @torch.no_grad()
    def follow(self):
        self.target.weight.mul_(0.9).add_(self.head.weight, alpha=0.1)
        self.target.bias.data = self.target.bias.data * 0.9 + self.head.bias.data * 0.1

    def forward(self, idx):
        self.calls += 1
        self.follow()
        h, state = self.memory(self.embed(idx), self.state)
        self.state = tuple(part.detach() for part in state)
        for layer in self.layers:
            if random.random() < 0.3:
                continue
            h = h + torch.tanh(layer(h))
        self.last = h
        return self.head(h) / max(0.5, 0.97**self.calls), self.target(h)


def build():
    return Carried()


def step(model):
    idx = torch.randint(0, 12, (4, 7))
    logits, aims = model(idx)
    return F.cross_entropy(logits.transpose(1, 2), idx) + 0.1 * F.mse_loss(logits, aims)

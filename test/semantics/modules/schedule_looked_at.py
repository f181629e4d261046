"""A schedule drawn at import: steps of an optimizer without gradients change nothing."""

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

rates = []
looked_at = nn.Linear(1, 1)
optimizer = torch.optim.Adam(looked_at.parameters(), lr=1, betas=(0.9, 0.98), eps=1e-9)
scheduler = LambdaLR(optimizer, lambda step: min((step + 1) ** -0.5, (step + 1) * 5**-1.5))
for _ in range(20):
    rates.append(optimizer.param_groups[0]["lr"])
    optimizer.step()
    scheduler.step()


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.map = nn.Linear(20, 3)
        self.register_buffer("rates", torch.tensor(rates))

    def forward(self):
        return torch.spmm(self.map.weight, self.rates[:, None]) + self.map.bias[:, None]


def build():
    return Model()


def step(model):
    return model().pow(2).sum()

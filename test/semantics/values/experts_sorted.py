"""Mixture of experts by sorting: tokens in the order of their experts, split by counts, put back."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.x = nn.Parameter(torch.linspace(-1, 1, 28).view(7, 4))
        self.router = nn.Linear(4, 3, bias=False)
        self.experts = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))

    def forward(self):
        weights, chosen = self.router(self.x).softmax(-1).topk(2)
        flat = chosen.flatten()
        order = flat.argsort(stable=True)
        token = order // 2
        counts = torch.bincount(flat, minlength=3).tolist()
        parts = [
            expert(part) if len(part) else part
            for expert, part in zip(self.experts, self.x[token].split(counts))
        ]
        scaled = torch.cat(parts) * weights.flatten()[order].unsqueeze(-1)
        y = torch.zeros_like(self.x).scatter_add(0, token.unsqueeze(-1).expand(-1, 4), scaled)
        z = torch.zeros_like(scaled)
        z[order] = scaled
        return (y * torch.linspace(-1, 2, 28).view(7, 4)).sum() + z.view(7, 2, 4).sum(1).pow(2).mean()


def build():
    return Model()


def step(model):
    return model()

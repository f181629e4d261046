"""unique with its inverse and counts: means of groups, and a table looked up by distinct numbers."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(9, 4)
        self.w = nn.Parameter(torch.linspace(-1, 1, 24).view(6, 4))

    def forward(self):
        tokens = torch.tensor([[3, 7, 3], [1, 7, 7]])
        distinct, inverse, counts = torch.unique(tokens, return_inverse=True, return_counts=True)
        rows = self.table(distinct)[inverse]
        groups = inverse.flatten().unsqueeze(-1).expand(-1, 4)
        sums = torch.zeros(len(distinct), 4).scatter_add_(0, groups, self.w)
        means = sums / counts.unsqueeze(-1)
        runs, lengths = torch.unique_consecutive(tokens.flatten(), return_counts=True)
        repeated = means[: len(runs)].repeat_interleave(lengths[: len(means)], dim=0)
        signs = torch.unique(torch.sign(self.w.detach()))
        return (
            (rows.view(6, 4) * means[inverse.flatten()]).sum() + repeated.pow(2).sum() + signs.sum()
        )


def build():
    return Model()


def step(model):
    return model()

"""Functions of torch.linalg that give factors with a word on their success go by their own names."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.eye(3) * 2 + torch.linspace(-1, 1, 9).view(3, 3).cos() / 4)

    def forward(self):
        square = self.w @ self.w.mT
        root, info = torch.linalg.cholesky_ex(square)
        inverse = torch.linalg.inv_ex(self.w).inverse
        solution, _ = torch.linalg.solve_ex(square, self.w)
        packed, pivots, _ = torch.linalg.lu_factor_ex(self.w)
        return root.sum() + inverse.square().sum() + solution.sum() + packed.sum() + torch.linalg.cond(self.w.detach(), 1) + info + pivots.sum()


def build():
    return Model()


def step(model):
    return model()

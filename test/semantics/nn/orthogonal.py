"""Orthogonal weights: eᴬ, the Cayley map and reflections, square, tall and wide, with a base matrix and without."""
import torch
from torch import nn
from torch.nn.utils.parametrizations import orthogonal, spectral_norm


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.square = orthogonal(nn.Linear(4, 4))
        self.wide = orthogonal(nn.Linear(5, 3))
        self.tall = orthogonal(nn.Linear(3, 5), orthogonal_map="cayley")
        self.reflected = orthogonal(nn.Linear(4, 4), orthogonal_map="householder")
        self.plain = orthogonal(nn.Linear(3, 4), use_trivialization=False)
        self.exponential = orthogonal(nn.Linear(4, 4), "weight", "matrix_exp")
        self.spectral = nn.utils.spectral_norm(nn.Linear(3, 3))
        self.parametrized = spectral_norm(nn.Linear(3, 3))
        with torch.no_grad():
            self.plain.parametrizations.weight.original.add_(0.1)
            self.square.parametrizations.weight.original.add_(torch.arange(16.0).view(4, 4) / 9)
            self.tall.weight = torch.arange(15.0).view(5, 3).square() % 7

    def forward(self, x):
        weight = self.square.weight
        assert torch.allclose(weight @ weight.T, torch.eye(4), atol=1e-5)
        y = self.exponential(self.reflected(self.square(x)))
        z = self.plain(self.spectral(self.parametrized(y[:, :3])))
        return self.wide(self.tall(z[:, 1:]))


class Errors(nn.Module):
    def forward(self):
        for arguments in ({"name": "missing"}, {"name": "bias"}, {"orthogonal_map": "cholesky"}):
            try:
                orthogonal(nn.Linear(2, 2), **arguments)
            except ValueError:
                continue
            raise AssertionError(arguments)


MODE = "train"


def build():
    return Model()


def step(model):
    Errors()()
    return model(torch.linspace(-1, 1, 8).view(2, 4)).square().sum()

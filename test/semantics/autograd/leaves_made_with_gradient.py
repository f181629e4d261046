"""requires_grad=True where a tensor is made: of every kind of call that makes one, in a step and under no_grad."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 4))
        self.given = nn.Parameter(torch.full((4,), 0.5, requires_grad=True))

    def forward(self, n):
        with torch.no_grad():
            drawn = torch.randn(n, 4, requires_grad=True)
        made = [
            drawn,
            torch.rand(n, 4, requires_grad=True),
            torch.linspace(-1, 1, 4, requires_grad=True),
            torch.zeros(n, 4, requires_grad=True),
            torch.full_like(drawn, 0.3, requires_grad=True),
            self.given.new_ones(4, requires_grad=True),
            torch.tensor([0.1, 0.2, 0.3, 0.4], requires_grad=True),
            torch.eye(4, requires_grad=True),
        ]
        out = sum(self.f(x * self.given).square().sum() for x in made)
        slopes = torch.autograd.grad(out, made, create_graph=True)
        assert all(x.is_leaf and x.requires_grad for x in made)
        return out + sum(slope.norm() for slope in slopes)


def build():
    return Model()


def step(model):
    try:
        torch.zeros(2, dtype=torch.int64, requires_grad=True)
    except RuntimeError as error:
        print(error)
    return model(3)


GOLDEN = ("parameters", "modules")

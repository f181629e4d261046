"""Numbers that numpy draws: the legacy generator's distributions, and those of default_rng."""
import numpy as np
import torch
from torch import nn


def legacy():
    np.random.seed(5)
    yield [np.random.beta(0.8, 0.8) for _ in range(4)]
    yield np.random.beta(2.0, 3.5, size=(2, 3))
    yield np.random.gamma(0.5, 2.0, size=4)
    yield np.random.standard_gamma(3.0, 3)
    yield np.random.gamma(1.0, size=2)
    yield np.random.dirichlet([0.5, 1.0, 2.0], size=2)
    yield np.random.lognormal(0.1, 0.5, 3)
    yield np.random.laplace(1.0, 2.0, 3)
    yield np.random.logistic(size=2)
    yield np.random.poisson(3.0, 6)
    yield np.random.exponential(0.5, 2)
    yield np.random.beta(np.array([0.5, 2.0]), np.array([1.5, 0.5]))


def newer():
    rng = np.random.default_rng(42)
    yield rng.random((2, 3))
    yield rng.integers(0, 10, size=7)
    yield [rng.integers(5) for _ in range(3)]
    yield rng.standard_normal(2000)
    yield rng.normal(1.0, 0.02, size=(3, 4))
    yield rng.uniform(-1, 1, 5)
    yield rng.integers(-3, 3, size=4, endpoint=True)
    yield rng.integers(2**40, size=3) / 2**40
    yield rng.permutation(9) * np.arange(9)
    yield rng.choice(6, size=4)
    yield rng.choice(8, size=5, replace=False)
    yield rng.choice(500, size=3, replace=False)
    yield [rng.choice(["a", "b", "c"], p=[0.2, 0.5, 0.3]) == "b" for _ in range(5)]
    yield [np.random.choice(("a", "b")) == "b" for _ in range(5)]
    order = np.arange(6)
    rng.shuffle(order)
    yield order * np.arange(6)
    yield np.random.default_rng().integers(0, 1, 2)
    yield np.random.default_rng([1, 2, 3, 4, 5]).random(2)
    yield np.random.default_rng(2**70 + 3).random(2)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        drawn = [np.asarray(one).astype(np.float64).ravel() for one in (*legacy(), *newer())]
        self.drawn = nn.ParameterList(nn.Parameter(torch.from_numpy(one).float()) for one in drawn)

    def forward(self):
        return sum((p * torch.linspace(0, 1, p.numel())).sum() for p in self.drawn)


def build():
    return Model()


def step(model):
    return model()


GOLDEN = ("parameters", "modules")

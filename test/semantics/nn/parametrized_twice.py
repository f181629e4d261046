"""Several parametrizations of one weight, theirs in others, removed and refused ones."""
import torch
from torch import nn
from torch.nn.utils import parametrize

GOLDEN = ("buffers", "parameters", "modules")


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Symmetric(nn.Module):
    def forward(self, w):
        return w.triu() + w.triu(1).mT

    def right_inverse(self, w):
        return w.triu()


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.log = nn.Parameter(torch.tensor(0.3))
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, w):
        self.calls += 1
        return w * self.log.exp()

    def right_inverse(self, w):
        return w / self.log.detach().exp()


class Product(nn.Module):
    def forward(self, left, right):
        return left @ right

    def right_inverse(self, w):
        return w[:, :1] * 2, w[:1]


class Wrong(nn.Module):
    def __init__(self, change):
        super().__init__()
        self.change = change

    def forward(self, w):
        return self.change(w)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.twice = nn.Linear(3, 3)
        parametrize.register_parametrization(self.twice, "weight", Symmetric())
        parametrize.register_parametrization(self.twice, "weight", Scaled())
        self.shared = nn.Linear(3, 3)
        parametrize.transfer_parametrizations_and_params(self.twice, self.shared)
        self.parts = parametrize.register_parametrization(nn.Linear(3, 4), "weight", Product())
        self.left = parametrize.register_parametrization(nn.Linear(3, 3), "weight", Scaled())
        kept = self.left.parametrizations.weight.original
        parametrize.remove_parametrizations(self.left, "weight")
        assert self.left.weight is kept and type(self.left) is nn.Linear
        self.plain = parametrize.register_parametrization(nn.Linear(3, 3), "weight", Scaled())
        parametrize.remove_parametrizations(self.plain, "weight", leave_parametrized=False)

    def forward(self):
        x = torch.linspace(-1, 1, 6).view(2, 3)
        with parametrize.cached():
            x = self.twice(x) + self.twice(x.sin())
        return mix(self.parts(self.plain(self.left(self.shared(x)))))


def refusals(module):
    changes = (lambda w: 3, lambda w: w.double(), lambda w: w[:1])
    for change in changes:
        try:
            parametrize.register_parametrization(module, "weight", Wrong(change))
        except ValueError as error:
            yield str(error)


def build():
    model = Model()
    first = list(refusals(nn.Linear(3, 3)))
    appended = list(refusals(model.twice))
    assert "unless `unsafe` flag is enabled.\nunparametrized dtype: torch.float32" in first[1]
    assert "unless the `unsafe` flag is enabled.\nmodule.weight.shape" in appended[2]
    assert len(first) == len(appended) == 3
    return model


def step(model):
    model.twice.weight = torch.arange(9.0).view(3, 3)
    return model()

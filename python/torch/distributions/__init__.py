"""torch.distributions: the distributions that models draw from."""

from .._unsupported import missing as _missing
from ._base import Distribution, Independent
from ._discrete import Bernoulli, Categorical, OneHotCategorical
from ._kl import kl_divergence
from ._real import Exponential, Gumbel, Laplace, LogNormal, Normal, Uniform

__all__ = [
    "Bernoulli",
    "Categorical",
    "Distribution",
    "Exponential",
    "Gumbel",
    "Independent",
    "Laplace",
    "LogNormal",
    "Normal",
    "OneHotCategorical",
    "Uniform",
    "kl_divergence",
]


def __getattr__(name):
    if name in ("normal", "categorical", "bernoulli", "uniform", "kl", "distribution"):
        import sys

        return sys.modules[__name__]
    raise _missing("torch.distributions", name, globals())

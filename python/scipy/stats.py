"""scipy.stats: the normal distribution, whole and cut off, as first values of weights are drawn from it."""

import math
import sys

import numpy as np
import torch
from normscope_boot.imports import give_placeholders


class _Normal:
    def __call__(self, *args, **kwargs):
        return _Frozen(self, *args, **kwargs)

    def pdf(self, x, loc=0.0, scale=1.0):
        z = (np.asarray(x, dtype=np.float64) - loc) / scale
        return np.exp(-z * z / 2) / (math.sqrt(2 * math.pi) * scale)

    def cdf(self, x, loc=0.0, scale=1.0):
        return _by(torch.special.ndtr, (np.asarray(x, dtype=np.float64) - loc) / scale)

    def ppf(self, q, loc=0.0, scale=1.0):
        return loc + scale * _by(torch.special.ndtri, np.asarray(q, dtype=np.float64))


class _Frozen:
    """A distribution with its parameters: its methods take the rest."""

    def __init__(self, distribution, *args, **kwargs):
        self.dist = distribution
        self.args = args
        self.kwds = kwargs

    def __getattr__(self, name):
        method = getattr(self.dist, name)
        return lambda *values: method(*values, *self.args, **self.kwds)

    def rvs(self, size=1, random_state=None):
        return self.dist.rvs(*self.args, **self.kwds, size=size, random_state=random_state)


class _Truncated:
    """Of standard normal numbers those between `a` and `b`, times `scale`, plus `loc`."""

    def __call__(self, *args, **kwargs):
        return _Frozen(self, *args, **kwargs)

    def ppf(self, q, a, b, loc=0.0, scale=1.0):
        below, above = _below(a), _below(b)
        return norm.ppf(below + np.asarray(q, dtype=np.float64) * (above - below), loc, scale)

    def rvs(self, a, b, loc=0.0, scale=1.0, size=1, random_state=None):
        """By the inverse of the distribution, of NumPy's uniform numbers."""
        source = np.random if random_state is None else random_state
        return self.ppf(source.uniform(size=size), a, b, loc, scale)

    def mean(self, a, b, loc=0.0, scale=1.0):
        return loc + scale * (_density(a) - _density(b)) / (_below(b) - _below(a))

    def var(self, a, b, loc=0.0, scale=1.0):
        mass = _below(b) - _below(a)
        shift = (_density(a) - _density(b)) / mass
        return scale**2 * (1 + (_reach(a) - _reach(b)) / mass - shift**2)

    def std(self, a, b, loc=0.0, scale=1.0):
        return math.sqrt(self.var(a, b, loc, scale))


def _by(function, x):
    found = function(torch.from_numpy(np.asarray(x).copy())).numpy()
    return found[()] if found.ndim == 0 else found


def _below(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def _density(x):
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def _reach(x):
    return 0.0 if math.isinf(x) else x * _density(x)


norm = _Normal()
truncnorm = _Truncated()

give_placeholders(sys.modules[__name__])

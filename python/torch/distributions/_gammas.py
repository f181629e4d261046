"""Distributions that come of gamma variables."""

import math

from .._call import call
from .._dtypes import Size, finfo
from . import constraints
from ._base import Distribution, ExponentialFamily, together
from ._real import standard_normal
from ._reparameterized import dirichlet, standard_gamma


class Gamma(ExponentialFamily):
    has_rsample = True
    parameters = ("concentration", "rate")
    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.nonnegative

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = together(concentration, rate)
        super().__init__(self.concentration.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.concentration / self.rate

    @property
    def mode(self):
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self):
        return self.concentration / self.rate.pow(2)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        drawn = standard_gamma(self.concentration.expand(shape))
        value = drawn / self.rate.expand(shape)
        value.detach().clamp_(min=finfo(value.dtype).tiny)
        return value

    def log_prob(self, value):
        self._validate_sample(value)
        concentration, rate = self.concentration, self.rate
        return (
            call("xlogy", (concentration, rate), {})
            + call("xlogy", (concentration - 1, value), {})
            - rate * value
            - concentration.lgamma()
        )

    def entropy(self):
        k = self.concentration
        return k - self.rate.log() + k.lgamma() + (1.0 - k) * k.digamma()


class Chi2(Gamma):
    arg_constraints = {"df": constraints.positive}

    def __init__(self, df, validate_args=None):
        (df,) = together(df)
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    @property
    def df(self):
        return self.concentration * 2


class Dirichlet(ExponentialFamily):
    has_rsample = True
    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        shape = concentration.shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        return Dirichlet(self.concentration.expand(Size([*batch_shape, *self.event_shape])))

    @property
    def mean(self):
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self):
        above = (self.concentration - 1).clamp(min=0.0)
        mode = above / above.sum(-1, True)
        is_flat = (self.concentration < 1).all(dim=-1)
        peak = call("one_hot", (mode.argmax(dim=-1), above.shape[-1]), {}).to(mode.dtype)
        return call("where", (is_flat.unsqueeze(-1), peak, mode), {})

    @property
    def variance(self):
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        return dirichlet(self.concentration.expand(shape))

    def log_prob(self, value):
        self._validate_sample(value)
        k = self.concentration
        return call("xlogy", (k - 1.0, value), {}).sum(-1) + k.sum(-1).lgamma() - k.lgamma().sum(-1)

    def entropy(self):
        count = self.concentration.size(-1)
        total = self.concentration.sum(-1)
        return (
            self.concentration.lgamma().sum(-1)
            - total.lgamma()
            - (count - total) * total.digamma()
            - ((self.concentration - 1.0) * self.concentration.digamma()).sum(-1)
        )


class Beta(ExponentialFamily):
    has_rsample = True
    arg_constraints = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }
    support = constraints.unit_interval

    def __init__(self, concentration1, concentration0, validate_args=None):
        pair = together(concentration1, concentration0)
        rows = call("stack", (list(pair), -1), {})
        self._dirichlet = Dirichlet(rows, validate_args=validate_args)
        super().__init__(self._dirichlet.batch_shape, validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        shape = tuple(batch_shape)
        return Beta(self.concentration1.expand(shape), self.concentration0.expand(shape))

    @property
    def concentration1(self):
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self):
        return self._dirichlet.concentration[..., 1]

    @property
    def mean(self):
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def mode(self):
        return self._dirichlet.mode[..., 0]

    @property
    def variance(self):
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape=()):
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value):
        self._validate_sample(value)
        return self._dirichlet.log_prob(call("stack", ([value, 1.0 - value], -1), {}))

    def entropy(self):
        return self._dirichlet.entropy()

    def __repr__(self):
        return "Beta()"


class StudentT(Distribution):
    has_rsample = True
    parameters = ("df", "loc", "scale")
    arg_constraints = {
        "df": constraints.positive,
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support = constraints.real

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = together(df, loc, scale)
        Chi2(self.df)  # An error about df is about this one, as in PyTorch.
        super().__init__(self.df.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.loc.masked_fill(self.df <= 1, math.nan)

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        finite = self.scale.pow(2) * self.df / (self.df - 2)
        finite = finite.masked_fill(self.df <= 2, math.inf)
        return finite.masked_fill(self.df <= 1, math.nan)

    def rsample(self, sample_shape=()):
        x = standard_normal(self._extended_shape(sample_shape), self.df)
        z = Chi2(self.df, validate_args=False).rsample(sample_shape)
        return self.loc + self.scale * (x * (z / self.df).rsqrt())

    def log_prob(self, value):
        self._validate_sample(value)
        y = (value - self.loc) / self.scale
        norm = (
            self.scale.log()
            + 0.5 * self.df.log()
            + 0.5 * math.log(math.pi)
            + (0.5 * self.df).lgamma()
            - (0.5 * (self.df + 1.0)).lgamma()
        )
        return -0.5 * (self.df + 1.0) * (y**2.0 / self.df).log1p() - norm

    def entropy(self):
        half = 0.5 * self.df
        beta = half.lgamma() + math.lgamma(0.5) - (0.5 * (self.df + 1)).lgamma()
        slope = (0.5 * (self.df + 1)).digamma() - half.digamma()
        return self.scale.log() + 0.5 * (self.df + 1) * slope + 0.5 * self.df.log() + beta

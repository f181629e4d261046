"""Distributions of real numbers."""

import math

from .._call import call
from ._base import Distribution, together

_EULER = 0.5772156649015329


class Normal(Distribution):
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = together(loc, scale)
        super().__init__(self.loc.shape)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.scale.pow(2)

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        loc, scale = self.loc.detach().expand(shape), self.scale.detach().expand(shape)
        return call("normal", (loc, scale), {})

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        zeros = call("zeros", (shape,), {"dtype": self.loc.dtype})
        noise = call("normal", (zeros, zeros + 1), {})
        return self.loc + noise * self.scale

    def log_prob(self, value):
        squares = (value - self.loc) ** 2 / (2 * self.scale**2)
        return -squares - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + self.scale.log()

    def cdf(self, value):
        return 0.5 * (1 + ((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)).erf())

    def icdf(self, value):
        return self.loc + self.scale * (2 * value - 1).erfinv() * math.sqrt(2)

    def __repr__(self):
        return f"Normal(loc: {_shown(self.loc)}, scale: {_shown(self.scale)})"


def _shown(parameter):
    return parameter.item() if parameter.numel() == 1 else f"torch.Size({list(parameter.shape)})"


class LogNormal(Normal):
    def sample(self, sample_shape=()):
        return super().sample(sample_shape).exp()

    def rsample(self, sample_shape=()):
        return super().rsample(sample_shape).exp()

    @property
    def mean(self):
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def variance(self):
        square = self.scale.pow(2)
        return square.expm1() * (2 * self.loc + square).exp()

    def log_prob(self, value):
        return super().log_prob(value.log()) - value.log()

    def entropy(self):
        return super().entropy() + self.loc


class _FromUniform(Distribution):
    """Samples are a function of numbers between 0 and 1."""

    has_rsample = True

    def _uniform(self, sample_shape, like):
        return call("rand", (self._extended_shape(sample_shape),), {"dtype": like.dtype})


class Uniform(_FromUniform):
    def __init__(self, low, high, validate_args=None):
        self.low, self.high = together(low, high)
        super().__init__(self.low.shape)

    @property
    def mean(self):
        return (self.high + self.low) / 2

    @property
    def variance(self):
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape=()):
        return self.low + self._uniform(sample_shape, self.low) * (self.high - self.low)

    def log_prob(self, value):
        within = (self.low <= value).type_as(self.low) * (self.high > value).type_as(self.low)
        return within.log() - (self.high - self.low).log()

    def entropy(self):
        return (self.high - self.low).log()


class Exponential(Distribution):
    has_rsample = True

    def __init__(self, rate, validate_args=None):
        (self.rate,) = together(rate)
        super().__init__(self.rate.shape)

    @property
    def mean(self):
        return self.rate.reciprocal()

    @property
    def variance(self):
        return self.rate.pow(-2)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        return self.rate.new_empty(shape).exponential_() / self.rate

    def log_prob(self, value):
        return self.rate.log() - self.rate * value

    def entropy(self):
        return 1.0 - self.rate.log()


class Laplace(_FromUniform):
    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = together(loc, scale)
        super().__init__(self.loc.shape)

    @property
    def mean(self):
        return self.loc

    @property
    def variance(self):
        return 2 * self.scale.pow(2)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        low = 2.0**-23 - 1
        u = self.loc.new_empty(shape).uniform_(low, 1)
        return self.loc - self.scale * u.sign() * (-u.abs()).log1p()

    def log_prob(self, value):
        return -(2 * self.scale).log() - (value - self.loc).abs() / self.scale

    def entropy(self):
        return 1 + (2 * self.scale).log()


class Gumbel(_FromUniform):
    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = together(loc, scale)
        super().__init__(self.loc.shape)

    @property
    def mean(self):
        return self.loc + self.scale * _EULER

    @property
    def variance(self):
        return (math.pi / math.sqrt(6) * self.scale).pow(2)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        u = self.loc.new_empty(shape).uniform_(2.0**-126, 1 - 2.0**-24)
        return self.loc - self.scale * (-u.log()).log()

    def log_prob(self, value):
        y = (self.loc - value) / self.scale
        return y - y.exp() - self.scale.log()

    def entropy(self):
        return self.scale.log() + (1 + _EULER)

"""Distributions of shares, numbers between 0 and 1, and of ratios."""

import math

from .._call import call
from .._dtypes import finfo
from . import constraints
from ._base import Distribution, computed, together
from ._discrete import YesOrNo, clamp_probs, cross_entropy
from ._gammas import Gamma
from ._real import Uniform
from ._transformed import TransformedDistribution
from .transforms import AffineTransform, PowerTransform

_EULER = 0.57721566490153286060


def _where(condition, value, other):
    return call("where", (condition, value, other), {})


class ContinuousBernoulli(YesOrNo):
    """G. Loaiza-Ganem and J. Cunningham, The continuous Bernoulli (2019); a series around ½."""

    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        given = self._take(probs, logits)
        if not self._is_logits:
            if validate_args is not None and not self.arg_constraints["probs"].check(given).all():
                raise ValueError("The parameter probs has invalid values")
            self.__dict__["probs"] = clamp_probs(given)
        self._lims = lims
        super().__init__(given.shape, validate_args=validate_args)

    @computed
    def probs(self):
        return clamp_probs(self.logits.sigmoid())

    def _is_stable(self):
        low, high = self._lims
        return (self.probs <= low) | (self.probs > high)

    def _cut_probs(self):
        return _where(self._is_stable(), self.probs, self._lims[0])

    def log_norm(self):
        p = self._cut_probs()
        is_low = p <= 0.5
        below, above = _where(is_low, p, 0.0), _where(p >= 0.5, p, 1.0)
        shift = _where(is_low, (-2.0 * below).log1p(), (2.0 * above - 1.0).log())
        norm = ((-p).log1p() - p.log()).abs().log() - shift
        x = (self.probs - 0.5).pow(2)
        series = math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x
        return _where(self._is_stable(), norm, series)

    @property
    def mean(self):
        p = self._cut_probs()
        mean = p / (2.0 * p - 1.0) + 1.0 / ((-p).log1p() - p.log())
        x = self.probs - 0.5
        series = 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x.pow(2)) * x
        return _where(self._is_stable(), mean, series)

    @property
    def variance(self):
        p = self._cut_probs()
        variance = p * (p - 1.0) / (1.0 - 2.0 * p).pow(2) + 1.0 / ((-p).log1p() - p.log()).pow(2)
        x = (self.probs - 0.5).pow(2)
        series = 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x
        return _where(self._is_stable(), variance, series)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        return self.icdf(call("rand", (shape,), {"dtype": self.probs.dtype}))

    def log_prob(self, value):
        self._validate_sample(value)
        logits, value = together(self.logits, value)
        return self.log_norm() - cross_entropy(logits, value)

    def cdf(self, value):
        self._validate_sample(value)
        p = self._cut_probs()
        found = (p.pow(value) * (1.0 - p).pow(1.0 - value) + p - 1.0) / (2.0 * p - 1.0)
        inside = _where(self._is_stable(), found, value)
        return _where(value <= 0.0, 0.0, _where(value >= 1.0, 1.0, inside))

    def icdf(self, value):
        p = self._cut_probs()
        rest = (-p).log1p()
        found = ((-p + value * (2.0 * p - 1.0)).log1p() - rest) / (p.log() - rest)
        return _where(self._is_stable(), found, value)

    def entropy(self):
        rest = (-self.probs).log1p()
        return self.mean * (rest - self.probs.log()) - self.log_norm() - rest


class Kumaraswamy(TransformedDistribution):
    arg_constraints = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1, concentration0, validate_args=None):
        one, zero = together(concentration1, concentration0)
        self.concentration1, self.concentration0 = one, zero
        base = Uniform(zero.new_zeros(zero.shape), zero.new_ones(zero.shape), validate_args)
        transforms = [
            PowerTransform(zero.reciprocal()),
            AffineTransform(1.0, -1.0),
            PowerTransform(one.reciprocal()),
        ]
        super().__init__(base, transforms, validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        made = super().expand(batch_shape)
        made.concentration1 = self.concentration1.expand(tuple(batch_shape))
        made.concentration0 = self.concentration0.expand(tuple(batch_shape))
        return made

    def _moment(self, n):
        a, b = self.concentration1, self.concentration0
        at = 1 + n / a
        return b * (at.lgamma() + b.lgamma() - (at + b).lgamma()).exp()

    @property
    def mean(self):
        return self._moment(1)

    @property
    def mode(self):
        one, zero = self.concentration1, self.concentration0
        log_mode = zero.reciprocal() * (-zero).log1p() - (-zero * one).log1p()
        return log_mode.masked_fill((zero < 1) | (one < 1), math.nan).exp()

    @property
    def variance(self):
        return self._moment(2) - self.mean.pow(2)

    def entropy(self):
        one, zero = self.concentration1, self.concentration0
        harmonic = (zero + 1).digamma() + _EULER
        rest = 1 - zero.reciprocal() + (1 - one.reciprocal()) * harmonic
        return rest - one.log() - zero.log()


class FisherSnedecor(Distribution):
    """The ratio of two gamma variables of mean ½."""

    has_rsample = True
    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    parameters = ("df1", "df2")
    support = constraints.positive

    def __init__(self, df1, df2, validate_args=None):
        self.df1, self.df2 = together(df1, df2)
        self._take()
        super().__init__(self.df1.shape, validate_args=validate_args)

    def _take(self):
        self._gammas = [Gamma(df * 0.5, df) for df in (self.df1, self.df2)]

    def expand(self, batch_shape, _instance=None):
        made = super().expand(batch_shape, _instance)
        made._take()
        return made

    @property
    def mean(self):
        df2 = self.df2.masked_fill(self.df2 <= 2, math.nan)
        return df2 / (df2 - 2)

    @property
    def mode(self):
        mode = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        return mode.masked_fill(self.df1 <= 2, math.nan)

    @property
    def variance(self):
        df1, df2 = self.df1, self.df2.masked_fill(self.df2 <= 4, math.nan)
        return 2 * df2.pow(2) * (df1 + df2 - 2) / (df1 * (df2 - 2).pow(2) * (df2 - 4))

    def rsample(self, sample_shape=()):
        above, below = (gamma.rsample(sample_shape) for gamma in self._gammas)
        tiny = finfo(below.dtype).tiny
        return (above / below.clamp(min=tiny)).clamp(min=tiny)

    def log_prob(self, value):
        self._validate_sample(value)
        a, b = self.df1 * 0.5, self.df2 * 0.5
        ratio = self.df1 / self.df2
        norm = (a + b).lgamma() - a.lgamma() - b.lgamma()
        return norm + a * ratio.log() + (a - 1) * value.log() - (a + b) * (ratio * value).log1p()


class GeneralizedPareto(Distribution):
    has_rsample = True
    arg_constraints = {
        "loc": constraints.real,
        "scale": constraints.positive,
        "concentration": constraints.real,
    }
    parameters = ("loc", "scale", "concentration")

    def __init__(self, loc, scale, concentration, validate_args=None):
        self.loc, self.scale, self.concentration = together(loc, scale, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @property
    def support(self):
        end = self.loc - self.scale / self.concentration
        return constraints.interval(self.loc, _where(self.concentration < 0, end, math.inf))

    def _curved(self):
        """Whether the concentration is 0, and one that is not."""
        k = self.concentration
        is_zero = call("isclose", (k, k.new_zeros(k.shape)), {})
        return is_zero, _where(is_zero, 1.0, k)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        return self.icdf(call("rand", (shape,), {"dtype": self.loc.dtype}))

    def log_prob(self, value):
        self._validate_sample(value)
        z = (value - self.loc) / self.scale
        is_zero, k = self._curved()
        y = 1 / k + z.new_ones(z.shape)
        curved = _where(y == 0, y, y * (k * z).log1p())
        return -self.scale.log() - _where(is_zero, z, curved)

    def log_survival_function(self, value):
        self._validate_sample(value)
        z = (value - self.loc) / self.scale
        is_zero, k = self._curved()
        return _where(is_zero, -z, -(k * z).log1p() / k)

    def log_cdf(self, value):
        return (-self.log_survival_function(value).exp()).log1p()

    def cdf(self, value):
        return self.log_cdf(value).exp()

    def icdf(self, value):
        is_zero, k = self._curved()
        log_rest = (-value).log1p()
        curved = self.loc + self.scale / k * (-k * log_rest).expm1()
        return _where(is_zero, self.loc - self.scale * log_rest, curved)

    @property
    def mean(self):
        is_finite = self.concentration < 1
        k = _where(is_finite, self.concentration, 0.5)
        return _where(is_finite, self.loc + self.scale / (1 - k), math.nan)

    @property
    def variance(self):
        is_finite = self.concentration < 0.5
        k = _where(is_finite, self.concentration, 0.25)
        variance = self.scale**2 / ((1 - k) ** 2 * (1 - 2 * k))
        return _where(is_finite, variance, math.nan)

    @property
    def mode(self):
        return self.loc

    def entropy(self):
        return (self.scale.log() + self.concentration + 1).expand(self.batch_shape)

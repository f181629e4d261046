"""Distributions of what transforms make of a sample, and those that are such."""

import math

from .._call import call
from .._dtypes import Size, finfo
from .._grad_mode import no_grad
from . import constraints
from ._base import Distribution, Independent, sum_rightmost, together
from ._gammas import Gamma
from ._real import Cauchy, Exponential, Normal, Uniform
from .transforms import (
    AbsTransform,
    AffineTransform,
    ComposeTransform,
    ExpTransform,
    PowerTransform,
    Transform,
)

_EULER = 0.57721566490153286060


class TransformedDistribution(Distribution):
    def __init__(self, base_distribution, transforms, validate_args=None):
        self.transforms = [transforms] if isinstance(transforms, Transform) else list(transforms)
        whole = ComposeTransform(self.transforms)
        base_shape = Size([*base_distribution.batch_shape, *base_distribution.event_shape])
        event_dim = len(base_distribution.event_shape)
        if len(base_shape) < whole.domain.event_dim:
            raise ValueError(
                "base_distribution needs to have shape with size at least "
                f"{whole.domain.event_dim}, but got {base_shape}."
            )
        shape = Size(whole.forward_shape(base_shape))
        expanded = Size(whole.inverse_shape(shape))
        if expanded != base_shape:
            base_distribution = base_distribution.expand(expanded[: len(expanded) - event_dim])
        if whole.domain.event_dim > event_dim:
            base_distribution = Independent(base_distribution, whole.domain.event_dim - event_dim)
        self.base_dist = base_distribution
        change = whole.codomain.event_dim - whole.domain.event_dim
        cut = len(shape) - max(whole.codomain.event_dim, event_dim + change)
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        shape = Size([*batch_shape, *self.event_shape])
        for transform in reversed(self.transforms):
            shape = transform.inverse_shape(shape)
        made.base_dist = self.base_dist.expand(
            shape[: len(shape) - len(self.base_dist.event_shape)]
        )
        Distribution.__init__(made, batch_shape, self.event_shape, validate_args=False)
        return made

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    support = constraints.real

    def sample(self, sample_shape=()):
        with no_grad():
            return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=()):
        return self._transformed(self.base_dist.rsample(sample_shape))

    def _transformed(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def log_prob(self, value):
        """ln p(x) − Σ ln |dy/dx|"""
        self._validate_sample(value)
        event_dim = len(self.event_shape)
        found, y = 0.0, value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            event_dim += transform.domain.event_dim - transform.codomain.event_dim
            jacobian = transform.log_abs_det_jacobian(x, y)
            found = found - sum_rightmost(jacobian, event_dim - transform.domain.event_dim)
            y = x
        rest = event_dim - len(self.base_dist.event_shape)
        return found + sum_rightmost(self.base_dist.log_prob(y), rest)

    def _monotonic(self, value):
        sign = ComposeTransform(self.transforms).sign
        return value if isinstance(sign, int) and sign == 1 else sign * (value - 0.5) + 0.5

    def cdf(self, value):
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        return self._monotonic(self.base_dist.cdf(value))

    def icdf(self, value):
        return self._transformed(self.base_dist.icdf(self._monotonic(value)))


class LogNormal(TransformedDistribution):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive

    def __init__(self, loc, scale, validate_args=None):
        base = Normal(loc, scale, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    @property
    def loc(self):
        return self.base_dist.loc

    @property
    def scale(self):
        return self.base_dist.scale

    @property
    def mean(self):
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def mode(self):
        return (self.loc - self.scale.square()).exp()

    @property
    def variance(self):
        square = self.scale.pow(2)
        return square.expm1() * (2 * self.loc + square).exp()

    def entropy(self):
        return self.base_dist.entropy() + self.loc


class Gumbel(TransformedDistribution):
    """loc − scale · ln(−ln U)"""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = together(loc, scale)
        limits = finfo(self.loc.dtype)
        low = call("full_like", (self.loc, limits.tiny), {})
        high = call("full_like", (self.loc, 1 - limits.eps), {})
        base = Uniform(low, high, validate_args=validate_args)
        negative = AffineTransform(0, -call("ones_like", (self.scale,), {}))
        transforms = [
            ExpTransform().inv,
            negative,
            ExpTransform().inv,
            AffineTransform(self.loc, -self.scale),
        ]
        super().__init__(base, transforms, validate_args=validate_args)

    def log_prob(self, value):
        self._validate_sample(value)
        y = (self.loc - value) / self.scale
        return (y - y.exp()) - self.scale.log()

    @property
    def mean(self):
        return self.loc + self.scale * _EULER

    @property
    def mode(self):
        return self.loc

    @property
    def stddev(self):
        return (math.pi / math.sqrt(6)) * self.scale

    @property
    def variance(self):
        return self.stddev.pow(2)

    def entropy(self):
        return self.scale.log() + (1 + _EULER)

    def __repr__(self):
        shown = (f"{name}: {_shown(getattr(self, name))}" for name in ("loc", "scale"))
        return f"Gumbel({', '.join(shown)})"


def _shown(tensor):
    return tensor if tensor.numel() == 1 else tensor.size()


class HalfNormal(TransformedDistribution):
    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative

    def __init__(self, scale, validate_args=None):
        base = Normal(0, scale, validate_args=False)
        super().__init__(base, AbsTransform(), validate_args=validate_args)

    @property
    def scale(self):
        return self.base_dist.scale

    @property
    def mean(self):
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self):
        return self.scale.pow(2) * (1 - 2 / math.pi)

    def log_prob(self, value):
        self._validate_sample(value)
        found = self.base_dist.log_prob(value) + math.log(2)
        return call("where", (value >= 0, found, -math.inf), {})

    def cdf(self, value):
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, value):
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)


class HalfCauchy(TransformedDistribution):
    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative

    def __init__(self, scale, validate_args=None):
        base = Cauchy(0, scale, validate_args=False)
        super().__init__(base, AbsTransform(), validate_args=validate_args)

    @property
    def scale(self):
        return self.base_dist.scale

    def log_prob(self, value):
        self._validate_sample(value)
        found = self.base_dist.log_prob(value) + math.log(2)
        return call("where", (value >= 0, found, -math.inf), {})

    def cdf(self, value):
        return 2 * self.base_dist.cdf(value) - 1

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)


class InverseGamma(TransformedDistribution):
    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.positive

    def __init__(self, concentration, rate, validate_args=None):
        base = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(base, PowerTransform(-base.rate.new_ones(())), validate_args=validate_args)

    @property
    def concentration(self):
        return self.base_dist.concentration

    @property
    def rate(self):
        return self.base_dist.rate

    @property
    def mean(self):
        finite = self.rate / (self.concentration - 1)
        return call("where", (self.concentration > 1, finite, math.inf), {})

    def entropy(self):
        k = self.concentration
        return k + self.rate.log() + k.lgamma() - (1 + k) * k.digamma()


class Pareto(TransformedDistribution):
    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = together(scale, alpha)
        transforms = [ExpTransform(), AffineTransform(0, self.scale)]
        super().__init__(
            Exponential(self.alpha, validate_args), transforms, validate_args=validate_args
        )

    @property
    def mean(self):
        a = self.alpha.clamp(min=1)
        return a * self.scale / (a - 1)

    def entropy(self):
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


class Weibull(TransformedDistribution):
    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = together(scale, concentration)
        transforms = [
            PowerTransform(self.concentration.reciprocal()),
            AffineTransform(0, self.scale),
        ]
        ones = self.scale.new_ones(self.scale.shape)
        super().__init__(Exponential(ones, validate_args), transforms, validate_args=validate_args)

    @property
    def mean(self):
        return self.scale * (1 + self.concentration.reciprocal()).lgamma().exp()

    def entropy(self):
        reciprocal = self.concentration.reciprocal()
        return _EULER * (1 - reciprocal) + (self.scale * reciprocal).log() + 1


class LogisticNormal(TransformedDistribution):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.simplex

    def __init__(self, loc, scale, validate_args=None):
        from .transforms import StickBreakingTransform

        base = Normal(loc, scale, validate_args=validate_args)
        if not base.batch_shape:
            base = base.expand([1])
        super().__init__(base, StickBreakingTransform(), validate_args=validate_args)

    @property
    def loc(self):
        return self.base_dist.base_dist.loc

    @property
    def scale(self):
        return self.base_dist.base_dist.scale

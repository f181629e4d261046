"""Differentiable relaxations of classes (Maddison et al., 2016; Jang et al., 2016)."""

import math

from .._call import call
from .._dtypes import Size
from .._factories import as_tensor
from .._tensor import Tensor
from . import constraints
from ._base import Distribution, together
from ._discrete import Categorical, OfCategorical, clamp_probs, one_of
from ._transformed import TransformedDistribution
from .transforms import ExpTransform, SigmoidTransform


def _tensor(number, like):
    return number if isinstance(number, Tensor) else as_tensor(float(number), dtype=like.dtype)


class ExpRelaxedCategorical(OfCategorical):
    """The logarithm of a relaxed one-hot vector."""

    has_rsample = True
    support = constraints.real_vector

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        self.temperature = temperature
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        logits = self.logits.expand(Size([*batch_shape, *self.event_shape]))
        return ExpRelaxedCategorical(self.temperature, logits=logits)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        uniforms = clamp_probs(call("rand", (shape,), {"dtype": self.logits.dtype}))
        gumbels = -((-(uniforms.log())).log())
        scores = (self.logits + gumbels) / self.temperature
        return scores - scores.logsumexp(dim=-1, keepdim=True)

    def log_prob(self, value):
        self._validate_sample(value)
        count = self.event_shape[0]
        logits, value = together(self.logits, value)
        temperature = _tensor(self.temperature, logits)
        scale = math.lgamma(count) + (count - 1) * temperature.log()
        score = logits - value.mul(self.temperature)
        return (score - score.logsumexp(dim=-1, keepdim=True)).sum(-1) + scale


class _Relaxed(TransformedDistribution):
    """What is drawn is a map of `base_dist`'s draws, and has its parameters."""

    has_rsample = True

    @property
    def temperature(self):
        return self.base_dist.temperature

    @property
    def logits(self):
        return self.base_dist.logits

    @property
    def probs(self):
        return self.base_dist.probs


class RelaxedOneHotCategorical(_Relaxed):
    support = constraints.simplex

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)


class LogitRelaxedBernoulli(Distribution):
    has_rsample = True
    support = constraints.real
    parameters = ("probs", "logits")

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        one_of(probs, logits)
        self.temperature = temperature
        (given,) = together(probs if logits is None else logits)
        clamped = clamp_probs(given) if logits is None else None
        self.probs = given if logits is None else given.sigmoid()
        self.logits = given if probs is None else clamped.log() - (-clamped).log1p()
        super().__init__(given.shape, validate_args=validate_args)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        uniforms = clamp_probs(call("rand", (shape,), {"dtype": probs.dtype}))
        odds = uniforms.log() - (-uniforms).log1p() + probs.log() - (-probs).log1p()
        return odds / self.temperature

    def log_prob(self, value):
        self._validate_sample(value)
        logits, value = together(self.logits, value)
        away = logits - value.mul(self.temperature)
        temperature = _tensor(self.temperature, logits)
        return temperature.log() + away - 2 * away.exp().log1p()


class RelaxedBernoulli(_Relaxed):
    support = constraints.unit_interval

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        base = LogitRelaxedBernoulli(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, SigmoidTransform(), validate_args=validate_args)

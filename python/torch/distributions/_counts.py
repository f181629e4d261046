"""Distributions of how often something comes."""

from .._call import call
from .._grad_mode import no_grad
from .._tensor import Tensor
from . import constraints
from ._base import computed, together
from ._discrete import Categorical, OfCategorical, YesOrNo, numbered
from ._gammas import Gamma


class _OfTrials(YesOrNo):
    """Of `total_count` trials, of one shape with `probs` or `logits`."""

    parameters = ("total_count", "probs", "logits")

    def _counted(self, total_count, given):
        counts = total_count if isinstance(total_count, Tensor) else given.new_tensor(total_count)
        name = "logits" if self._is_logits else "probs"
        counts, self.__dict__[name] = together(counts.type_as(given), given)
        return counts


class Binomial(_OfTrials):
    """Successes in `total_count` trials."""

    arg_constraints = {
        "total_count": constraints.nonnegative_integer,
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    parameters = ("total_count", "probs", "logits")
    has_enumerate_support = True

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        self.total_count = self._counted(total_count, self._take(probs, logits))
        super().__init__(self.total_count.shape, validate_args=validate_args)

    @property
    def support(self):
        return constraints.integer_interval(0, self.total_count)

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        with no_grad():
            counts, probs = self.total_count.expand(shape), self.probs.expand(shape)
            return call("binomial", (counts, probs), {})

    @property
    def mean(self):
        return self.total_count * self.probs

    @property
    def mode(self):
        peak = ((self.total_count + 1) * self.probs).floor()
        return call("minimum", (peak, self.total_count), {})

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def log_prob(self, value):
        self._validate_sample(value)
        rest = self.total_count - value
        ways = (self.total_count + 1).lgamma() - (value + 1).lgamma() - (rest + 1).lgamma()
        # n ln(1 + e^l), without an overflow of e^l.
        softened = (-self.logits.abs()).exp().log1p()
        norm = self.total_count * self.logits.clamp(min=0) + self.total_count * softened
        return value * self.logits + ways - norm

    def entropy(self):
        found = self.log_prob(self.enumerate_support(False))
        return -(found.exp() * found).sum(0)

    def enumerate_support(self, expand=True):
        count = int(self.total_count.max())
        if not self.total_count.min() == count:
            raise NotImplementedError(
                "Inhomogeneous total count not supported by `enumerate_support`."
            )
        return numbered(1 + count, self.total_count, self.batch_shape, expand)


class NegativeBinomial(_OfTrials):
    """Successes before `total_count` failures."""

    arg_constraints = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        self.total_count = self._counted(total_count, self._take(probs, logits))
        super().__init__(self.total_count.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.total_count * self.logits.exp()

    @property
    def mode(self):
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self):
        return self.mean / (-self.logits).sigmoid()

    @computed
    def _gamma(self):
        return Gamma(self.total_count, (-self.logits).exp(), validate_args=False)

    def sample(self, sample_shape=()):
        with no_grad():
            return call("poisson", (self._gamma.sample(sample_shape),), {})

    def log_prob(self, value):
        self._validate_sample(value)

        def log_share(logits):
            return call("logsigmoid", (logits,), {})

        count = self.total_count
        shares = count * log_share(-self.logits) + value * log_share(self.logits)
        norm = (1.0 + value).lgamma() + count.lgamma() - (count + value).lgamma()
        # ln Γ(0) has no end, where no trial gives no success for sure.
        return shares - norm.masked_fill(count + value == 0.0, 0.0)


class Multinomial(OfCategorical):
    """How often each class comes in `total_count` draws."""

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs, logits, validate_args=validate_args)
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    @property
    def support(self):
        return constraints.multinomial(self.total_count)

    @property
    def mean(self):
        return self.probs * self.total_count

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        drawn = self._categorical.sample((self.total_count, *sample_shape))
        drawn = drawn.permute((*range(1, drawn.dim()), 0))
        counts = self.probs.new_zeros(self._extended_shape(sample_shape))
        ones = counts.new_ones(drawn.shape)
        return counts.scatter_add(-1, drawn, ones)

    def log_prob(self, value):
        self._validate_sample(value)
        logits, value = together(self.logits, value)
        logits = logits.masked_fill((value == 0) & (logits == -float("inf")), 0)
        ways = (value.sum(-1) + 1).lgamma() - (value + 1).lgamma().sum(-1)
        return ways + (logits * value).sum(-1)

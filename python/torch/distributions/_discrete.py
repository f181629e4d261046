"""Distributions of classes, of counts, and of yes and no."""

from .._call import call
from .._dtypes import Size, finfo
from .._functions import broadcast_tensors
from .._grad_mode import no_grad
from .._host import host
from . import constraints
from ._base import Distribution, ExponentialFamily, computed, together


def one_of(probs, logits):
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


def clamp_probs(probs):
    eps = finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def _log_odds(probs):
    clamped = clamp_probs(probs)
    return clamped.log() - (-clamped).log1p()


def cross_entropy(logits, value):
    return call("binary_cross_entropy_with_logits", (logits, value), {"reduction": "none"})


class YesOrNo(ExponentialFamily):
    """`probs` or `logits` of an event, whichever was given and the other computed of it."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}

    def _take(self, probs, logits):
        one_of(probs, logits)
        (given,) = together(probs if logits is None else logits)
        self._is_logits = probs is None
        self.__dict__["logits" if self._is_logits else "probs"] = given
        return given

    parameters = ("probs", "logits")

    @computed
    def probs(self):
        return self.logits.sigmoid()

    @computed
    def logits(self):
        return _log_odds(self.probs)

    @property
    def param_shape(self):
        return (self.logits if self._is_logits else self.probs).size()


class Bernoulli(YesOrNo):
    support = constraints.boolean
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(self._take(probs, logits).shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.probs

    @property
    def mode(self):
        mode = (self.probs >= 0.5).to(self.probs)
        return mode.masked_fill(self.probs == 0.5, float("nan"))

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return call("bernoulli", (self.probs.expand(shape),), {})

    def log_prob(self, value):
        self._validate_sample(value)
        return -cross_entropy(*together(self.logits, value))

    def entropy(self):
        return cross_entropy(self.logits, self.probs)

    def enumerate_support(self, expand=True):
        return numbered(2, self.probs, self.batch_shape, expand)


def numbered(count, like, batch_shape, expand):
    values = call("arange", (count,), {"dtype": like.dtype})
    values = values.view((-1,) + (1,) * len(batch_shape))
    return values.expand((-1, *batch_shape)) if expand else values


class Geometric(YesOrNo):
    """Failures before the first success."""

    support = constraints.nonnegative_integer

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(self._take(probs, logits).shape, validate_args=validate_args)
        if self._validate_args and not self._is_logits:
            self._validate_positive()

    def _validate_positive(self):
        positive = self.probs > 0
        if host.is_known(positive._id) and not positive.all():
            raise ValueError(
                f"Expected parameter probs (Tensor of shape {tuple(self.probs.shape)}) of "
                f"distribution {self!r} to be positive but found invalid values:\n"
                f"{self.probs.detach()[~positive]}"
            )

    @property
    def mean(self):
        return 1.0 / self.probs - 1.0

    @property
    def mode(self):
        return self.probs.new_zeros(self.probs.shape)

    @property
    def variance(self):
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        probs = self.probs.detach()
        u = probs.new_empty(shape).uniform_(finfo(probs.dtype).tiny, 1)
        return (u.log() / (-probs).log1p()).floor()

    def log_prob(self, value):
        self._validate_sample(value)
        value, probs = together(value, self.probs)
        probs = probs.masked_fill((probs == 1) & (value == 0), 0)
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self):
        return cross_entropy(self.logits, self.probs) / self.probs


class Poisson(ExponentialFamily):
    parameters = ("rate",)
    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    def __init__(self, rate, validate_args=None):
        (self.rate,) = together(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.rate

    variance = mean

    @property
    def mode(self):
        return self.rate.floor()

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        return call("poisson", (self.rate.detach().expand(shape),), {})

    def log_prob(self, value):
        self._validate_sample(value)
        rate, value = together(self.rate, value)
        return call("xlogy", (value, rate), {}) - rate - (value + 1).lgamma()


class Categorical(Distribution):
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        one_of(probs, logits)
        given = probs if logits is None else logits
        if given.dim() < 1:
            name = "probs" if logits is None else "logits"
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        self._is_logits = probs is None
        if self._is_logits:
            self.__dict__["logits"] = logits - logits.logsumexp(dim=-1, keepdim=True)
        else:
            self.__dict__["probs"] = probs / probs.sum(-1, keepdim=True)
        self._num_events = given.shape[-1]
        super().__init__(given.shape[:-1], validate_args=validate_args)

    @computed
    def probs(self):
        return self.logits.softmax(dim=-1)

    @computed
    def logits(self):
        return clamp_probs(self.probs).log()

    def expand(self, batch_shape, _instance=None):
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        shape = Size([*batch_shape, self._num_events])
        for name in filter(self._holds, ("probs", "logits")):
            made.__dict__[name] = getattr(self, name).expand(shape)
        Distribution.__init__(made, batch_shape, validate_args=False)
        return made

    @property
    def support(self):
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def param_shape(self):
        return (self.logits if self._is_logits else self.probs).size()

    @property
    def mean(self):
        return self.probs.new_full(self._extended_shape(), float("nan"))

    variance = mean

    @property
    def mode(self):
        return self.probs.argmax(dim=-1)

    def sample(self, sample_shape=()):
        count = Size(sample_shape).numel()
        with no_grad():
            rows = self.probs.reshape(-1, self._num_events)
            drawn = call("multinomial", (rows, count, True), {}).T
            return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        self._validate_sample(value)
        value = value.long().unsqueeze(-1)
        value, logits = broadcast_tensors(value, self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        least = finfo(self.logits.dtype).min
        return -(self.logits.clamp(min=least) * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        return numbered(self._num_events, self.probs, self.batch_shape, expand).long()


class OfCategorical(Distribution):
    """A distribution over the classes of `_categorical`, with its parameters."""

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    @property
    def param_shape(self):
        return self._categorical.param_shape


class OneHotCategorical(OfCategorical):
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._take(Categorical(probs, logits, validate_args=validate_args), validate_args)

    def _take(self, categorical, validate_args):
        self._categorical = categorical
        shape = categorical.param_shape
        Distribution.__init__(self, shape[:-1], shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        made = type(self).__new__(type(self))
        made._take(self._categorical.expand(batch_shape), False)
        return made

    mean = OfCategorical.probs

    @property
    def mode(self):
        return self._one_hot(self.probs.argmax(-1))

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def _one_hot(self, classes):
        return call("one_hot", (classes, self.event_shape[0]), {}).to(self.probs.dtype)

    def sample(self, sample_shape=()):
        return self._one_hot(self._categorical.sample(sample_shape))

    def log_prob(self, value):
        self._validate_sample(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self):
        return self._categorical.entropy()

    def enumerate_support(self, expand=True):
        count = self.event_shape[0]
        values = call("eye", (count,), {"dtype": self.probs.dtype})
        values = values.view((count,) + (1,) * len(self.batch_shape) + (count,))
        return values.expand((count, *self.batch_shape, count)) if expand else values

    def __repr__(self):
        return f"{type(self).__name__}()"


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """Samples whose gradient is that of the probabilities."""

    has_rsample = True

    def rsample(self, sample_shape=()):
        return self.sample(sample_shape) + (self.probs - self.probs.detach())

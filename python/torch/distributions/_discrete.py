"""Distributions of classes and of yes and no."""

from .._call import call
from ._base import Distribution, together


def _one_of(probs, logits):
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


class Bernoulli(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        _one_of(probs, logits)
        (given,) = together(probs if logits is None else logits)
        self.probs = given if logits is None else given.sigmoid()
        self.logits = given if probs is None else _log_odds(given)
        super().__init__(given.shape)

    @property
    def mean(self):
        return self.probs

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        return call(
            "bernoulli", (self.probs.detach().expand(self._extended_shape(sample_shape)),), {}
        )

    def log_prob(self, value):
        logits, value = together(self.logits, value)
        return -call("binary_cross_entropy_with_logits", (logits, value), {"reduction": "none"})

    def entropy(self):
        options = {"reduction": "none"}
        return call("binary_cross_entropy_with_logits", (self.logits, self.probs), options)


def _log_odds(probs):
    return probs.log() - (-probs).log1p()


class Categorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        _one_of(probs, logits)
        if logits is None:
            self.probs = probs / probs.sum(-1, keepdim=True)
            eps = 2.0**-23
            self.logits = self.probs.clamp(min=eps, max=1 - eps).log()
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
            self.probs = self.logits.softmax(dim=-1)
        self._num_events = self.logits.shape[-1]
        super().__init__(self.logits.shape[:-1])

    @property
    def mode(self):
        return self.probs.argmax(dim=-1)

    def sample(self, sample_shape=()):
        count = 1
        for size in sample_shape:
            count *= size
        rows = self.probs.detach().reshape(-1, self._num_events)
        drawn = call("multinomial", (rows, count, True), {}).transpose(0, 1)
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        value = value.long().unsqueeze(-1)
        shape = (*self._broadcast(value.shape[:-1]), self._num_events)
        logits = self.logits.expand(shape)
        return logits.gather(-1, value.expand(*shape[:-1], 1)).squeeze(-1)

    def _broadcast(self, shape):
        from .._functions import broadcast_shapes

        return broadcast_shapes(tuple(shape), tuple(self.logits.shape[:-1]))

    def entropy(self):
        return -(self.logits.clamp(min=-3.4028234663852886e38) * self.probs).sum(-1)

    @property
    def param_shape(self):
        return self.logits.shape


class OneHotCategorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:])

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    mean = probs

    def sample(self, sample_shape=()):
        drawn = self._categorical.sample(sample_shape)
        return call("one_hot", (drawn, self.event_shape[0]), {}).to(self.probs.dtype)

    def log_prob(self, value):
        return self._categorical.log_prob(value.argmax(-1))

    def entropy(self):
        return self._categorical.entropy()

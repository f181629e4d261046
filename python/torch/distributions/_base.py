"""What all distributions share: a batch of parameters, and shapes of samples."""

import functools

from .._dtypes import Size
from .._factories import tensor
from .._functions import _is_all_true, broadcast_tensors
from .._grad_mode import enable_grad, no_grad
from .._host import host
from .._tensor import Tensor
from . import constraints


def together(*parameters):
    """Numbers and tensors as tensors of one shape."""
    like = next((p for p in parameters if isinstance(p, Tensor)), None)
    dtype = None if like is None else like.dtype
    tensors = [p if isinstance(p, Tensor) else tensor(float(p), dtype=dtype) for p in parameters]
    return broadcast_tensors(*tensors)


def computed(method):
    """A property that is computed when it is first asked for, with gradients though no_grad asks."""
    return functools.cached_property(enable_grad()(method))


def sum_rightmost(x, count):
    """The sum over the last `count` axes."""
    return x.reshape((*x.shape[:-count], -1)).sum(-1) if count else x


def _fails(constraint, value):
    """Whether a number of `value` breaks the constraint: what is computed is looked at, as PyTorch does."""
    holds = _is_all_true(constraint.check(value))
    return host.numbers_to_show(holds._id, 1) == "0"


def _described(value):
    return f"{type(value).__name__} of shape {tuple(value.shape)}"


class Distribution:
    """`parameters` names the attributes that have the batch's shape and make up the distribution."""

    has_rsample = False
    has_enumerate_support = False
    parameters = ()
    arg_constraints = {}
    _validate_args = True

    @staticmethod
    def set_default_validate_args(value):
        Distribution._validate_args = value

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self._batch_shape = Size(batch_shape)
        self._event_shape = Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._validate_parameters()

    def _validate_parameters(self):
        for name, constraint in self.arg_constraints.items():
            if constraint is constraints.dependent or not self._holds(name):
                continue
            value = getattr(self, name)
            if _fails(constraint, value):
                raise ValueError(
                    f"Expected parameter {name} ({_described(value)}) of distribution {self!r} "
                    f"to satisfy the constraint {constraint!r}, "
                    f"but found invalid values:\n{value}"
                )

    def _holds(self, name):
        """Whether it is there without being computed of another parameter."""
        return name in self.__dict__ or not isinstance(
            getattr(type(self), name, None), functools.cached_property
        )

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    def expand(self, batch_shape, _instance=None):
        """The same distribution with its parameters repeated."""
        if not self.parameters:
            raise NotImplementedError
        made = type(self).__new__(type(self)) if _instance is None else _instance
        made.__dict__.update(self.__dict__)
        for name in filter(self._holds, self.parameters):
            made.__dict__[name] = getattr(self, name).expand(tuple(batch_shape))
        Distribution.__init__(made, batch_shape, self.event_shape, validate_args=False)
        made._validate_args = self._validate_args
        return made

    def _extended_shape(self, sample_shape=()):
        return Size([*sample_shape, *self.batch_shape, *self.event_shape])

    def sample(self, sample_shape=()):
        with no_grad():
            return self.rsample(sample_shape)

    def sample_n(self, n):
        return self.sample((n,))

    def rsample(self, sample_shape=()):
        raise NotImplementedError

    def log_prob(self, value):
        raise NotImplementedError

    def cdf(self, value):
        raise NotImplementedError

    def icdf(self, value):
        raise NotImplementedError

    def entropy(self):
        raise NotImplementedError

    def enumerate_support(self, expand=True):
        raise NotImplementedError

    @property
    def mean(self):
        raise NotImplementedError

    @property
    def mode(self):
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self):
        raise NotImplementedError

    @property
    def stddev(self):
        return self.variance.sqrt()

    def perplexity(self):
        return self.entropy().exp()

    def _validate_sample(self, value):
        if not self._validate_args:
            return
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        events = value.dim() - len(self.event_shape)
        if tuple(value.shape[events:]) != tuple(self.event_shape):
            raise ValueError(
                f"The right-most size of value must match event_shape: {value.shape} vs {self.event_shape}."
            )
        expected = self._extended_shape()
        for given, own in zip(reversed(value.shape), reversed(expected)):
            if given != 1 and own != 1 and given != own:
                raise ValueError(
                    "Value is not broadcastable with batch_shape+event_shape: "
                    f"{value.shape} vs {expected}."
                )
        support = getattr(self, "support", None)
        if support is None or support is constraints.dependent or not _fails(support, value):
            return
        raise ValueError(
            f"Expected value argument ({_described(value)}) to be within the support "
            f"({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
        )

    def __repr__(self):
        held = [(name, self.__dict__[name]) for name in self.shown if name in self.__dict__]
        texts = [f"{name}: {it if it.numel() == 1 else it.size()}" for name, it in held]
        return f"{type(self).__name__}({', '.join(texts)})"

    @property
    def shown(self):
        """The names that the text has, as far as they are attributes."""
        return tuple(self.arg_constraints)


class ExponentialFamily(Distribution):
    """A class that files name; the members of the family have their own formulas."""


class Independent(Distribution):
    """The last `reinterpreted_batch_ndims` axes of a batch as one event."""

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        shape = base_distribution.batch_shape
        if reinterpreted_batch_ndims > len(shape):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), "
                f"actual {reinterpreted_batch_ndims} vs {len(shape)}"
            )
        at = len(shape) - reinterpreted_batch_ndims
        event_shape = [*shape[at:], *base_distribution.event_shape]
        super().__init__(shape[:at], event_shape, validate_args=validate_args)
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    def expand(self, batch_shape, _instance=None):
        rest = self.event_shape[: self.reinterpreted_batch_ndims]
        base = self.base_dist.expand(Size([*batch_shape, *rest]))
        return Independent(base, self.reinterpreted_batch_ndims)

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    @property
    def support(self):
        return self.base_dist.support

    @property
    def mean(self):
        return self.base_dist.mean

    @property
    def mode(self):
        return self.base_dist.mode

    @property
    def variance(self):
        return self.base_dist.variance

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def __repr__(self):
        return f"Independent({self.base_dist}, {self.reinterpreted_batch_ndims})"

"""What all distributions share: a batch of parameters, and shapes of samples."""

from .._dtypes import Size
from .._factories import as_tensor
from .._functions import broadcast_tensors
from .._grad_mode import no_grad
from .._tensor import Tensor


def together(*parameters):
    """Numbers and tensors as tensors of one shape."""
    like = next((p for p in parameters if isinstance(p, Tensor)), None)
    dtype = None if like is None else like.dtype
    tensors = [p if isinstance(p, Tensor) else as_tensor(float(p), dtype=dtype) for p in parameters]
    return broadcast_tensors(*tensors)


class Distribution:
    has_rsample = False

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self.batch_shape = Size(batch_shape)
        self.event_shape = Size(event_shape)

    def _extended_shape(self, sample_shape=()):
        return Size([*sample_shape, *self.batch_shape, *self.event_shape])

    def sample(self, sample_shape=()):
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=()):
        raise NotImplementedError

    def log_prob(self, value):
        raise NotImplementedError

    def entropy(self):
        raise NotImplementedError

    @property
    def stddev(self):
        return self.variance.sqrt()

    def perplexity(self):
        return self.entropy().exp()

    def __repr__(self):
        return f"{type(self).__name__}()"


class Independent(Distribution):
    """The last `reinterpreted_batch_ndims` axes of a batch as one event."""

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        shape = base_distribution.batch_shape
        at = len(shape) - reinterpreted_batch_ndims
        super().__init__(shape[:at], [*shape[at:], *base_distribution.event_shape])
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @property
    def mean(self):
        return self.base_dist.mean

    @property
    def variance(self):
        return self.base_dist.variance

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def _summed(self, x):
        axes = tuple(range(-self.reinterpreted_batch_ndims, 0))
        return x.sum(axes) if axes else x

    def log_prob(self, value):
        return self._summed(self.base_dist.log_prob(value))

    def entropy(self):
        return self._summed(self.base_dist.entropy())

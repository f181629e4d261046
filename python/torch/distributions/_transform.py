"""What transforms share, and those that are made of other transforms."""

import operator
from functools import reduce

from .._call import call
from .._dtypes import Size
from ._base import sum_rightmost


class Space:
    """How many axes one event has on a side of a transform."""

    def __init__(self, event_dim):
        self.event_dim = event_dim


class Transform:
    bijective = False
    sign = 1
    domain = codomain = Space(0)

    def __init__(self, cache_size=0):
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size = cache_size
        self._inverse_of = None
        self._last = (None, None)

    @property
    def event_dim(self):
        return self.domain.event_dim

    @property
    def inv(self):
        if self._inverse_of is None:
            self._inverse_of = _InverseTransform(self)
        return self._inverse_of

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        return type(self)(cache_size=cache_size)

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)

    def __call__(self, x):
        if self._cache_size and x is self._last[0]:
            return self._last[1]
        y = self._call(x)
        self._last = (x, y) if self._cache_size else (None, None)
        return y

    def _inv_call(self, y):
        if self._cache_size and y is self._last[1]:
            return self._last[0]
        x = self._inverse(y)
        self._last = (x, y) if self._cache_size else (None, None)
        return x

    def _call(self, x):
        raise NotImplementedError

    def _inverse(self, y):
        raise NotImplementedError

    def log_abs_det_jacobian(self, x, y):
        raise NotImplementedError

    def forward_shape(self, shape):
        return shape

    def inverse_shape(self, shape):
        return shape

    def __repr__(self):
        return f"{type(self).__name__}()"


class _InverseTransform(Transform):
    def __init__(self, transform):
        super().__init__(transform._cache_size)
        self._inverse_of = transform

    @property
    def domain(self):
        return self._inverse_of.codomain

    @property
    def codomain(self):
        return self._inverse_of.domain

    @property
    def bijective(self):
        return self._inverse_of.bijective

    @property
    def sign(self):
        return self._inverse_of.sign

    def with_cache(self, cache_size=1):
        return self._inverse_of.with_cache(cache_size).inv

    def __eq__(self, other):
        return isinstance(other, _InverseTransform) and self._inverse_of == other._inverse_of

    __hash__ = Transform.__hash__

    def __call__(self, x):
        return self._inverse_of._inv_call(x)

    def log_abs_det_jacobian(self, x, y):
        return -self._inverse_of.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        return self._inverse_of.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._inverse_of.forward_shape(shape)

    def __repr__(self):
        return f"_InverseTransform({self._inverse_of!r})"


class ComposeTransform(Transform):
    """One after the other, first first."""

    def __init__(self, parts, cache_size=0):
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else list(parts)
        super().__init__(cache_size)

    def __eq__(self, other):
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    __hash__ = Transform.__hash__

    @property
    def bijective(self):
        return all(part.bijective for part in self.parts)

    @property
    def sign(self):
        return reduce(operator.mul, (part.sign for part in self.parts), 1)

    @property
    def domain(self):
        event_dim = self.parts[-1].codomain.event_dim if self.parts else 0
        for part in reversed(self.parts):
            event_dim += part.domain.event_dim - part.codomain.event_dim
            event_dim = max(event_dim, part.domain.event_dim)
        return Space(event_dim)

    @property
    def codomain(self):
        event_dim = self.parts[0].domain.event_dim if self.parts else 0
        for part in self.parts:
            event_dim += part.codomain.event_dim - part.domain.event_dim
            event_dim = max(event_dim, part.codomain.event_dim)
        return Space(event_dim)

    @property
    def inv(self):
        if self._inverse_of is None:
            self._inverse_of = ComposeTransform([part.inv for part in reversed(self.parts)])
            self._inverse_of._inverse_of = self
        return self._inverse_of

    def with_cache(self, cache_size=1):
        return ComposeTransform(self.parts, cache_size)

    def __call__(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x, y):
        if not self.parts:
            return call("zeros_like", (x,), {})
        values = [x]
        for part in self.parts[:-1]:
            values.append(part(values[-1]))
        values.append(y)
        event_dim = self.domain.event_dim
        terms = []
        for part, before, after in zip(self.parts, values[:-1], values[1:]):
            found = part.log_abs_det_jacobian(before, after)
            terms.append(sum_rightmost(found, event_dim - part.domain.event_dim))
            event_dim += part.codomain.event_dim - part.domain.event_dim
        return reduce(operator.add, terms)

    def forward_shape(self, shape):
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape):
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    def __repr__(self):
        inner = ",\n    ".join(map(repr, self.parts))
        return f"ComposeTransform([\n    {inner}\n])"


identity_transform = ComposeTransform([])


class IndependentTransform(Transform):
    """The last axes as one event."""

    def __init__(self, base_transform, reinterpreted_batch_ndims, cache_size=0):
        super().__init__(cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        self.bijective, self.sign = base_transform.bijective, base_transform.sign
        self.domain = Space(base_transform.domain.event_dim + reinterpreted_batch_ndims)
        self.codomain = Space(base_transform.codomain.event_dim + reinterpreted_batch_ndims)

    def with_cache(self, cache_size=1):
        return IndependentTransform(self.base_transform, self.reinterpreted_batch_ndims, cache_size)

    def _call(self, x):
        return self.base_transform(x)

    def _inverse(self, y):
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x, y):
        found = self.base_transform.log_abs_det_jacobian(x, y)
        return sum_rightmost(found, self.reinterpreted_batch_ndims)

    def forward_shape(self, shape):
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape):
        return self.base_transform.inverse_shape(shape)


class ReshapeTransform(Transform):
    bijective = True

    def __init__(self, in_shape, out_shape, cache_size=0):
        self.in_shape, self.out_shape = Size(in_shape), Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError("in_shape, out_shape have different numbers of elements")
        self.domain, self.codomain = Space(len(self.in_shape)), Space(len(self.out_shape))
        super().__init__(cache_size)

    def with_cache(self, cache_size=1):
        return ReshapeTransform(self.in_shape, self.out_shape, cache_size)

    def _call(self, x):
        return x.reshape((*x.shape[: x.dim() - len(self.in_shape)], *self.out_shape))

    def _inverse(self, y):
        return y.reshape((*y.shape[: y.dim() - len(self.out_shape)], *self.in_shape))

    def log_abs_det_jacobian(self, x, y):
        return x.new_zeros(x.shape[: x.dim() - len(self.in_shape)])

    def forward_shape(self, shape):
        return Size([*shape[: len(shape) - len(self.in_shape)], *self.out_shape])

    def inverse_shape(self, shape):
        return Size([*shape[: len(shape) - len(self.out_shape)], *self.in_shape])

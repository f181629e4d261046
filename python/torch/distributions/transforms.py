"""torch.distributions.transforms: invertible functions with the logarithms of their Jacobians."""

import math

from .._call import call
from .._dtypes import Size, finfo
from .._tensor import Tensor
from ._transform import (
    ComposeTransform,
    IndependentTransform,
    ReshapeTransform,
    Space,
    Transform,
    identity_transform,
)

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "ComposeTransform",
    "ExpTransform",
    "IndependentTransform",
    "LowerCholeskyTransform",
    "PowerTransform",
    "ReshapeTransform",
    "SigmoidTransform",
    "SoftmaxTransform",
    "SoftplusTransform",
    "StickBreakingTransform",
    "TanhTransform",
    "Transform",
    "identity_transform",
]


class _Elementwise(Transform):
    bijective = True

    def __eq__(self, other):
        return type(self) is type(other)

    __hash__ = Transform.__hash__


class ExpTransform(_Elementwise):
    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x, y):
        return x


class PowerTransform(_Elementwise):
    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size)
        self.exponent = exponent

    def with_cache(self, cache_size=1):
        return PowerTransform(self.exponent, cache_size)

    def __eq__(self, other):
        return isinstance(other, PowerTransform) and _same(self.exponent, other.exponent)

    __hash__ = Transform.__hash__

    @property
    def sign(self):
        return (
            self.exponent.sign()
            if isinstance(self.exponent, Tensor)
            else math.copysign(1, self.exponent)
        )

    def _call(self, x):
        return x.pow(self.exponent)

    def _inverse(self, y):
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        return (self.exponent * y / x).abs().log()


def _same(a, b):
    return bool((a == b).all()) if isinstance(a, Tensor) or isinstance(b, Tensor) else a == b


class SigmoidTransform(_Elementwise):
    def _call(self, x):
        limits = finfo(x.dtype)
        return x.sigmoid().clamp(min=limits.tiny, max=1.0 - limits.eps)

    def _inverse(self, y):
        limits = finfo(y.dtype)
        y = y.clamp(min=limits.tiny, max=1.0 - limits.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x, y):
        return -_softplus(-x) - _softplus(x)


def _softplus(x):
    return call("softplus", (x,), {})


class SoftplusTransform(_Elementwise):
    def _call(self, x):
        return _softplus(x)

    def _inverse(self, y):
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x, y):
        return -_softplus(-x)


class TanhTransform(_Elementwise):
    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return y.atanh()

    def log_abs_det_jacobian(self, x, y):
        # ln(1 − tanh²x), where 1 − tanh²x may be 0 in single precision.
        return 2.0 * (math.log(2.0) - x - _softplus(-2.0 * x))


class AbsTransform(_Elementwise):
    bijective = False

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


class AffineTransform(Transform):
    bijective = True

    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        self.loc, self.scale = loc, scale
        self.domain = self.codomain = Space(event_dim)

    def with_cache(self, cache_size=1):
        return AffineTransform(self.loc, self.scale, self.event_dim, cache_size)

    def __eq__(self, other):
        return (
            isinstance(other, AffineTransform)
            and _same(self.loc, other.loc)
            and _same(self.scale, other.scale)
        )

    __hash__ = Transform.__hash__

    @property
    def sign(self):
        if isinstance(self.scale, Tensor):
            return self.scale.sign()
        return 1 if self.scale > 0 else -1 if self.scale < 0 else 0

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        shape = x.shape
        if isinstance(self.scale, Tensor):
            found = self.scale.abs().log()
        else:
            found = call("full_like", (x, math.log(abs(self.scale))), {})
        if self.event_dim:
            found = found.view((*found.size()[: -self.event_dim], -1)).sum(-1)
            shape = shape[: -self.event_dim]
        return found.expand(shape)

    def forward_shape(self, shape):
        from .._functions import broadcast_shapes

        own = [tuple(it.shape) for it in (self.loc, self.scale) if isinstance(it, Tensor)]
        return broadcast_shapes(tuple(shape), *own)

    inverse_shape = forward_shape


class SoftmaxTransform(_Elementwise):
    bijective = False
    domain = codomain = Space(1)

    def _call(self, x):
        weights = (x - x.max(-1, True)[0]).exp()
        return weights / weights.sum(-1, True)

    def _inverse(self, y):
        return y.log()


class StickBreakingTransform(_Elementwise):
    """n numbers to n + 1 that sum to one."""

    domain = codomain = Space(1)

    def _call(self, x):
        z = (x - _left(x).log()).sigmoid()
        rest = (1 - z).cumprod(-1)
        return _padded(z, (0, 1)) * _padded(rest, (1, 0))

    def _inverse(self, y):
        cropped = y[..., :-1]
        rest = (1 - cropped.cumsum(-1)).clamp(min=finfo(y.dtype).tiny)
        return cropped.log() - rest.log() + _left(cropped).log()

    def log_abs_det_jacobian(self, x, y):
        x = x - _left(x).log()
        return (-x + call("logsigmoid", (x,), {}) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape):
        return Size([*shape[:-1], shape[-1] + 1])

    def inverse_shape(self, shape):
        return Size([*shape[:-1], shape[-1] - 1])


def _left(x):
    """How many pieces are left to break off, at each place."""
    return x.shape[-1] + 1 - x.new_ones(x.shape[-1]).cumsum(-1)


def _padded(x, widths):
    return call("pad", (x, widths), {"value": 1})


class LowerCholeskyTransform(_Elementwise):
    """Any matrix to a lower triangle with a positive diagonal."""

    domain = codomain = Space(2)

    def _call(self, x):
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y):
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()

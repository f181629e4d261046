"""Reductions and products; most are methods too."""

import builtins

import torch

from ._array import _scalar_or_array, asarray, host, ndarray
from ._shapes import stack
from ._types import promote


def _axes(a, axis):
    if axis is None:
        return tuple(range(a.ndim))
    return tuple(axis) if isinstance(axis, tuple) else (axis,)


def _reduction(key, kind="same"):
    """`kind`: "count" sums booleans and small integers as int64, "float" gives floats."""

    def function(a, axis=None, dtype=None, out=None, keepdims=False, **options):
        a = asarray(a)
        if dtype is not None:
            a = a.astype(dtype)
        elif kind == "float" and a.dtype.kind in "biu":
            a = a.astype("float64")
        elif kind == "count" and (
            a.dtype.kind == "b" or (a.dtype.kind in "iu" and a.dtype.itemsize < 8)
        ):
            a = a.astype("int64")
        if a.ndim == 0:
            return _scalar_or_array(a._tensor)
        return _scalar_or_array(host(key, a._tensor, _axes(a, axis), keepdim=keepdims))

    return function


sum, mean = _reduction("sum", "count"), _reduction("mean", "float")  # noqa: A001
max = amax = _reduction("amax")  # noqa: A001
min = amin = _reduction("amin")  # noqa: A001
nansum, nanmean = _reduction("nansum", "count"), _reduction("nanmean", "float")


def prod(a, axis=None, dtype=None, keepdims=False, **options):
    a = asarray(a, dtype)
    if a.dtype.kind == "b":
        a = a.astype("int64")
    if axis is None:
        return _scalar_or_array(host("prod", a._tensor))
    return _scalar_or_array(host("prod", a._tensor, axis, keepdim=keepdims))


def _spread(key):
    def function(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, **options):
        a = asarray(a, dtype)
        a = a.astype("float64") if a.dtype.kind in "biu" else a
        return _scalar_or_array(
            host(key, a._tensor, _axes(a, axis), correction=ddof, keepdim=keepdims)
        )

    return function


std, var = _spread("std"), _spread("var")


def ptp(a, axis=None, keepdims=False):
    return max(a, axis, keepdims=keepdims) - min(a, axis, keepdims=keepdims)


def _truth(key):
    def function(a, axis=None, out=None, keepdims=False, **options):
        a = asarray(a)
        if axis is None:
            return _scalar_or_array(host(key, a._tensor))
        return _scalar_or_array(host(key, a._tensor, axis, keepdim=keepdims))

    return function


all, any = _truth("all"), _truth("any")  # noqa: A001


def _place(key):
    def function(a, axis=None, out=None, keepdims=False):
        return _scalar_or_array(host(key, asarray(a)._tensor, axis, keepdim=keepdims))

    return function


argmax, argmin = _place("argmax"), _place("argmin")


def _running(key):
    def function(a, axis=None, dtype=None, out=None):
        a = asarray(a, dtype)
        if a.dtype.kind == "b":
            a = a.astype("int64")
        if axis is None:
            a, axis = a.ravel(), 0
        return ndarray(host(key, a._tensor, axis))

    return function


cumsum, cumprod = _running("cumsum"), _running("cumprod")


def diff(a, n=1, axis=-1):
    return ndarray(host("diff", asarray(a)._tensor, n, axis))


def ediff1d(ary, to_end=None, to_begin=None):
    return diff(asarray(ary).ravel())


def gradient(f, *varargs, axis=None, edge_order=1):
    """Central differences, one-sided ones at both ends."""
    spacing = [s._tensor if isinstance(s, ndarray) else s for s in varargs]
    options = {"spacing": spacing[0] if len(spacing) == 1 else spacing} if spacing else {}
    if axis is not None:
        options["dim"] = axis
    f = asarray(f)
    f = f.astype("float64") if f.dtype.kind in "biu" else f
    parts = [ndarray(part) for part in torch.gradient(f._tensor, edge_order=edge_order, **options)]
    return parts[0] if len(parts) == 1 else parts


def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = asarray(y).astype("float64")
    if x is not None:
        return _scalar_or_array(host("trapezoid", y._tensor, asarray(x)._tensor, dim=axis))
    return _scalar_or_array(host("trapezoid", y._tensor, dx=dx, dim=axis))


def cov(m, y=None, rowvar=True, bias=False, ddof=None):
    a = asarray(m).astype("float64")
    a = stack([a, asarray(y).astype("float64")]) if y is not None else a
    a = a if rowvar or a.ndim < 2 else a.T
    correction = ddof if ddof is not None else int(not bias)
    return _scalar_or_array(host("cov", a._tensor, correction=correction))


def corrcoef(x, y=None, rowvar=True):
    a = asarray(x).astype("float64")
    a = stack([a, asarray(y).astype("float64")]) if y is not None else a
    return _scalar_or_array(host("corrcoef", (a if rowvar or a.ndim < 2 else a.T)._tensor))


def median(a, axis=None, keepdims=False, **options):
    return quantile(a, 0.5, axis, keepdims=keepdims)


def quantile(a, q, axis=None, keepdims=False, **options):
    a = asarray(a).astype("float64")
    if axis is None:
        a, axis = a.ravel(), 0
    ordered = ndarray(host("sort", a._tensor, dim=axis)[0]).swapaxes(axis, -1)
    places = asarray(q, dtype="float64")
    rows = [_between(ordered, place) for place in places.ravel().tolist()]
    rows = [
        row.reshape(*row.shape, 1).swapaxes(axis, -1) if keepdims else row
        for row in map(asarray, rows)
    ]
    made = stack(rows).reshape(*places.shape, *rows[0].shape)
    return _scalar_or_array(made._tensor)


def _between(ordered, place):
    """What lies at the share `place` of the last axis, linearly between its neighbours."""
    at = place * (ordered.shape[-1] - 1)
    low = int(at)
    high = builtins.min(low + 1, ordered.shape[-1] - 1)
    return ordered[..., low] + (ordered[..., high] - ordered[..., low]) * (at - low)


def percentile(a, q, axis=None, keepdims=False, **options):
    return quantile(a, asarray(q) / 100, axis, keepdims)


def average(a, axis=None, weights=None, keepdims=False):
    if weights is None:
        return mean(a, axis, keepdims=keepdims)
    weights = asarray(weights)
    return sum(asarray(a) * weights, axis, keepdims=keepdims) / sum(
        weights, axis, keepdims=keepdims
    )


# Products


def _pair(a, b):
    a, b = asarray(a), asarray(b)
    wanted = promote(a.dtype, b.dtype)
    return a.astype(wanted, copy=False)._tensor, b.astype(wanted, copy=False)._tensor


def matmul(x1, x2, /, out=None, **options):
    return _scalar_or_array(host("matmul", *_pair(x1, x2)))


def dot(a, b, out=None):
    a, b = asarray(a), asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if b.ndim <= 2:
        return matmul(a, b)
    return tensordot(a, b, ((a.ndim - 1,), (b.ndim - 2,)))


def inner(a, b):
    return _scalar_or_array(host("inner", *_pair(a, b)))


def outer(a, b, out=None):
    a, b = _pair(a, b)
    return ndarray(host("outer", host("reshape", a, (-1,)), host("reshape", b, (-1,))))


def vdot(a, b):
    return dot(asarray(a).ravel(), asarray(b).ravel())


def tensordot(a, b, axes=2):
    if not isinstance(axes, int):
        axes = [x if hasattr(x, "__iter__") else (x,) for x in axes]
    return _scalar_or_array(host("tensordot", *_pair(a, b), axes))


def einsum(subscripts, *operands, **options):
    parts = [asarray(a) for a in operands]
    wanted = parts[0].dtype
    for part in parts[1:]:
        wanted = promote(wanted, part.dtype)
    tensors = [part.astype(wanted, copy=False)._tensor for part in parts]
    return _scalar_or_array(host("einsum", subscripts, *tensors))


def kron(a, b):
    return ndarray(host("kron", *_pair(a, b)))


def trace(a, offset=0):
    return sum(ndarray(host("diagonal", asarray(a)._tensor, offset)))


def cross(a, b, axis=-1):
    return ndarray(host("cross", *_pair(a, b), dim=axis))


def _method(function):
    return lambda self, *args, **kwargs: function(self, *args, **kwargs)


for (
    _name
) in "sum mean prod std var ptp all any argmax argmin cumsum cumprod dot trace max min".split():
    setattr(ndarray, _name, _method(globals()[_name]))

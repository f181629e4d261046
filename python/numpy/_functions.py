"""Reductions, products, searching and sorting; most are methods too."""

import builtins

from torch import UnsupportedCall

from ._array import _scalar_or_array, array, asarray, host, ndarray
from ._shapes import broadcast_arrays, stack
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
        elif kind == "count" and (a.dtype.kind == "b" or (a.dtype.kind in "iu" and a.dtype.itemsize < 8)):
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
        return _scalar_or_array(host(key, a._tensor, _axes(a, axis), correction=ddof, keepdim=keepdims))

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


def median(a, axis=None, keepdims=False, **options):
    return quantile(a, 0.5, axis, keepdims=keepdims)


def quantile(a, q, axis=None, keepdims=False, **options):
    a = asarray(a).astype("float64")
    if axis is None:
        a, axis = a.ravel(), 0
    ordered = sort(a, axis).swapaxes(axis, -1)
    places = asarray(q, dtype="float64")
    rows = [_between(ordered, place) for place in places.ravel().tolist()]
    rows = [row.reshape(*row.shape, 1).swapaxes(axis, -1) if keepdims else row for row in map(asarray, rows)]
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
    return sum(asarray(a) * weights, axis, keepdims=keepdims) / sum(weights, axis, keepdims=keepdims)


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


# Choosing, searching, sorting


def where(condition, x=None, y=None, /):
    condition = asarray(condition)
    if x is None:
        return nonzero(condition)
    left, right = _pair(x, y)
    return _scalar_or_array(host("where", condition.astype(bool)._tensor, left, right))


def nonzero(a):
    found = host("nonzero", asarray(a)._tensor)
    return tuple(ndarray(column) for column in host("unbind", found, 1))


def flatnonzero(a):
    return nonzero(asarray(a).ravel())[0]


def argwhere(a):
    return ndarray(host("nonzero", asarray(a)._tensor))


def count_nonzero(a, axis=None, keepdims=False):
    return sum(asarray(a).astype(bool), axis, keepdims=keepdims)


def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None):  # noqa: A002
    low, high = a_min if a_min is not None else min, a_max if a_max is not None else max
    made = ndarray(host("clamp", asarray(a)._tensor, low, high))
    if out is None:
        return made
    out[...] = made
    return out


def sort(a, axis=-1, kind=None, order=None):
    a = asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    return ndarray(host("sort", a._tensor, dim=axis)[0])


def argsort(a, axis=-1, kind=None, order=None):
    a = asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    return ndarray(host("sort", a._tensor, dim=axis, stable=True)[1])


def searchsorted(a, v, side="left", sorter=None):
    values = v if isinstance(v, ndarray) else array(v)
    return _scalar_or_array(host("searchsorted", asarray(a)._tensor, values._tensor, side=side))


def digitize(x, bins, right=False):
    return searchsorted(bins, x, "left" if right else "right")


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None):
    if axis is not None:
        raise UnsupportedCall("numpy.unique with an axis is not supported")
    numbers = asarray(ar).ravel().tolist()
    kept = builtins.sorted(set(numbers))
    made = [array(kept, dtype=asarray(ar).dtype)]
    if return_index:
        made.append(array([numbers.index(x) for x in kept], dtype="int64"))
    if return_inverse:
        places = {x: i for i, x in enumerate(kept)}
        made.append(array([places[x] for x in numbers], dtype="int64").reshape(asarray(ar).shape))
    if return_counts:
        made.append(array([numbers.count(x) for x in kept], dtype="int64"))
    return made[0] if len(made) == 1 else tuple(made)


def bincount(x, weights=None, minlength=0):
    weights = None if weights is None else asarray(weights)._tensor
    return ndarray(host("bincount", asarray(x)._tensor, weights, minlength))


def isin(element, test_elements):
    wanted = set(asarray(test_elements).ravel().tolist())
    element = asarray(element)
    return array([x in wanted for x in element.ravel().tolist()], dtype=bool).reshape(element.shape)


def take(a, indices, axis=None):
    a = asarray(a)
    if axis is None:
        return a.ravel()[indices]
    return a[(slice(None),) * (axis % a.ndim) + (indices,)]


def take_along_axis(arr, indices, axis):
    return ndarray(host("gather", asarray(arr)._tensor, axis, asarray(indices)._tensor))


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    a, b = broadcast_arrays(a, b)
    left, right = (x.astype("float64")._tensor for x in (a, b))
    return _scalar_or_array(host("isclose", left, right, rtol=rtol, atol=atol, equal_nan=equal_nan))


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(all(isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a1, a2, equal_nan=False):
    a1, a2 = asarray(a1), asarray(a2)
    return a1.shape == a2.shape and bool(all(a1 == a2))


def round(a, decimals=0, out=None):  # noqa: A001
    a = asarray(a)
    return _scalar_or_array(host("round", a._tensor, decimals=decimals) if a.dtype.kind == "f" else a._tensor)


around = round_ = round


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    return _scalar_or_array(host("nan_to_num", asarray(x)._tensor, nan, posinf, neginf))


def interp(x, xp, fp):
    points, values = asarray(xp).tolist(), asarray(fp).tolist()

    def at(number):
        if number <= points[0]:
            return values[0]
        for (x0, y0), (x1, y1) in zip(zip(points, values), zip(points[1:], values[1:])):
            if number <= x1:
                return y0 + (y1 - y0) * (number - x0) / (x1 - x0)
        return values[-1]

    given = asarray(x, dtype="float64")
    made = array([at(number) for number in given.ravel().tolist()]).reshape(given.shape)
    return made if given.ndim else float(made)


def vectorize(pyfunc, otypes=None, **options):
    def function(*args):
        arrays = broadcast_arrays(*args)
        rows = zip(*(a.ravel().tolist() for a in arrays))
        return array([pyfunc(*row) for row in rows]).reshape(arrays[0].shape)

    return function


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    a = asarray(arr).swapaxes(axis, -1)
    rows = [func1d(row, *args, **kwargs) for row in a.reshape(-1, a.shape[-1])]
    made = array([row.tolist() if isinstance(row, ndarray) else row for row in rows])
    made = made.reshape(*a.shape[:-1], *made.shape[1:])
    return made.swapaxes(axis, -1) if made.ndim == a.ndim else made


_METHODS = (
    sum, mean, prod, std, var, ptp, all, any, argmax, argmin, cumsum, cumprod, dot, trace, nonzero, clip,
    argsort, take, searchsorted,
)
_NAMES = (
    "sum mean prod std var ptp all any argmax argmin cumsum cumprod dot trace nonzero clip argsort take "
    "searchsorted"
).split()


def _method(function):
    return lambda self, *args, **kwargs: function(self, *args, **kwargs)


for _name, _function in zip(_NAMES, _METHODS):
    setattr(ndarray, _name, _method(_function))
ndarray.max, ndarray.min, ndarray.round = _method(max), _method(min), _method(round)


def _sort_in_place(self, axis=-1, kind=None, order=None):
    self[...] = sort(self, axis)


ndarray.sort = _sort_in_place

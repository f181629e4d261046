"""Choosing, searching and sorting; most are methods too."""

import builtins

from torch import UnsupportedCall

from ._array import _scalar_or_array, array, asarray, host, ndarray
from ._functions import _pair, all, sum  # noqa: A004
from ._shapes import broadcast_arrays


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
    return _scalar_or_array(
        host("round", a._tensor, decimals=decimals) if a.dtype.kind == "f" else a._tensor
    )


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


def _method(function):
    return lambda self, *args, **kwargs: function(self, *args, **kwargs)


def _sort_in_place(self, axis=-1, kind=None, order=None):
    self[...] = sort(self, axis)


ndarray.nonzero, ndarray.clip, ndarray.argsort = _method(nonzero), _method(clip), _method(argsort)
ndarray.take, ndarray.searchsorted = _method(take), _method(searchsorted)
ndarray.round, ndarray.sort = _method(round), _sort_in_place

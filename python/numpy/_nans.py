"""Reductions that pass over what is no number."""

import math

from ._array import array, asarray
from ._functions import argmax, argmin, cumprod, cumsum, max, min, prod, quantile, sum  # noqa: A004
from ._searching import where
from ._types import promote
from ._ufuncs import isnan, sqrt, square


def _filled(a, value):
    a = asarray(a)
    return where(isnan(a), value, a) if a.dtype.kind == "f" else a


def _extreme(reduce, least):
    def function(a, axis=None, out=None, keepdims=False, **options):
        found = asarray(reduce(_filled(a, least), axis, keepdims=keepdims))
        # Where all are no numbers, so is the result.
        none = asarray(_count(a, axis, keepdims) == 0)
        return where(none, math.nan, found) if asarray(a).dtype.kind == "f" else found[()]

    return function


def _count(a, axis, keepdims):
    return sum(~isnan(asarray(a).astype("float64")), axis, keepdims=keepdims)


nanmax, nanmin = _extreme(max, -math.inf), _extreme(min, math.inf)


def nanprod(a, axis=None, dtype=None, out=None, keepdims=False):
    return prod(_filled(a, 1.0), axis, dtype, keepdims=keepdims)


def nancumsum(a, axis=None, dtype=None, out=None):
    return cumsum(_filled(a, 0.0), axis, dtype)


def nancumprod(a, axis=None, dtype=None, out=None):
    return cumprod(_filled(a, 1.0), axis, dtype)


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    a = asarray(a)
    a = a.astype(promote(a.dtype, a.dtype) if a.dtype.kind == "f" else "float64")
    count = _count(a, axis, True)
    mean = sum(_filled(a, 0.0), axis, keepdims=True) / count
    away = square(_filled(a - mean, 0.0))
    return sum(away, axis, keepdims=keepdims) / (_count(a, axis, keepdims) - ddof)


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return sqrt(nanvar(a, axis, dtype, out, ddof, keepdims))


def nanargmax(a, axis=None, out=None, keepdims=False):
    return argmax(_filled(a, -math.inf), axis, keepdims=keepdims)


def nanargmin(a, axis=None, out=None, keepdims=False):
    return argmin(_filled(a, math.inf), axis, keepdims=keepdims)


def nanquantile(a, q, axis=None, keepdims=False, **options):
    a = asarray(a)
    if axis is None:
        kept = [x for x in a.ravel().tolist() if x == x]
        return quantile(array(kept), q) if kept else math.nan
    rows = a.swapaxes(axis, -1)
    flat = rows.reshape(-1, rows.shape[-1])
    found = array([float(nanquantile(row, q)) for row in flat]).reshape(*rows.shape[:-1], 1)
    found = found.swapaxes(axis, -1)
    return found if keepdims else found.squeeze(axis)


def nanpercentile(a, q, axis=None, keepdims=False, **options):
    return nanquantile(a, asarray(q) / 100, axis, keepdims)


def nanmedian(a, axis=None, keepdims=False, **options):
    return nanquantile(a, 0.5, axis, keepdims)

"""Grids of indices, and joins that are written as slices."""

import builtins

from ._array import array, asarray, ndarray
from ._creation import arange, linspace, meshgrid
from ._shapes import atleast_1d, concatenate, stack


def _range(part):
    """The numbers of a slice; an imaginary step counts points, both ends among them."""
    start, step = part.start or 0, 1 if part.step is None else part.step
    if isinstance(step, complex):
        return linspace(start, part.stop, builtins.int(builtins.abs(step)))
    return arange(start, part.stop, step)


class _Grid:
    def __init__(self, is_open):
        self._is_open = is_open

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            return _range(key)
        rows = [_range(part) for part in key]
        if self._is_open:
            return tuple(
                row.reshape(*(-1 if axis == at else 1 for axis in builtins.range(len(rows))))
                for at, row in enumerate(rows)
            )
        return stack(meshgrid(*rows, indexing="ij"))


mgrid, ogrid = _Grid(False), _Grid(True)


class _Rows:
    def __getitem__(self, key):
        parts = key if isinstance(key, tuple) else (key,)
        return concatenate([_range(p) if isinstance(p, slice) else atleast_1d(p) for p in parts])


class _Columns:
    def __getitem__(self, key):
        parts = [_range(p) if isinstance(p, slice) else asarray(p) for p in key]
        return concatenate([p.reshape(-1, 1) if p.ndim < 2 else p for p in parts], 1)


class _Slices:
    def __getitem__(self, key):
        return key


r_, c_, s_ = _Rows(), _Columns(), _Slices()
index_exp = s_


def ix_(*args):
    """Vectors along axes of their own; truths become the places of those that hold."""
    vectors = [asarray(a) for a in args]
    vectors = [array(_places(v)) if v.dtype.kind == "b" else v for v in vectors]
    count = len(vectors)
    return tuple(
        v.reshape(*(-1 if axis == at else 1 for axis in builtins.range(count)))
        for at, v in enumerate(vectors)
    )


def _places(truths):
    return [at for at, holds in enumerate(truths.tolist()) if holds]


def fromfunction(function, shape, *, dtype=float, **options):
    rows = [arange(size, dtype=dtype) for size in shape]
    return function(*meshgrid(*rows, indexing="ij"), **options)


def unravel_index(indices, shape, order="C"):
    rest = asarray(indices)
    found = []
    for size in reversed(shape):
        found.append(rest % size)
        rest = rest // size
    return tuple(one if isinstance(one, ndarray) else asarray(one)[()] for one in reversed(found))


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    flat = 0
    for places, size in zip(multi_index, dims):
        flat = flat * size + asarray(places)
    return flat

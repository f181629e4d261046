"""Sets, orders by several keys, and arrays with elements taken out or put in."""

import builtins

from ._array import array, asarray, ndarray
from ._searching import argsort, sort, unique, where
from ._shapes import broadcast_arrays, concatenate, moveaxis, stack


def setdiff1d(ar1, ar2, assume_unique=False):
    without = set(asarray(ar2).ravel().tolist())
    return _kept(ar1, lambda x: x not in without)


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    within = set(asarray(ar2).ravel().tolist())
    return _kept(ar1, lambda x: x in within)


def _kept(ar, holds):
    found = unique(ar)
    return array([x for x in found.tolist() if holds(x)], dtype=found.dtype)


def union1d(ar1, ar2):
    return unique(concatenate([asarray(ar1).ravel(), asarray(ar2).ravel()]))


def lexsort(keys, axis=-1):
    """Places in the order of the last key, of the one before it where that is equal, …"""
    columns = [asarray(key).tolist() for key in reversed(list(keys))]
    places = builtins.range(len(columns[0]))
    return array(builtins.sorted(places, key=lambda at: tuple(c[at] for c in columns)))


def partition(a, kth, axis=-1, kind="introselect", order=None):
    return sort(a, axis)


def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    return argsort(a, axis)


def extract(condition, arr):
    return asarray(arr).ravel()[asarray(condition).ravel().astype(bool)]


def compress(condition, a, axis=None, out=None):
    places = [at for at, holds in enumerate(asarray(condition).tolist()) if holds]
    a = asarray(a).ravel() if axis is None else asarray(a)
    return a[(slice(None),) * (0 if axis is None else axis % a.ndim) + (places,)]


def select(condlist, choicelist, default=0):
    made = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        made = where(condition, choice, made)
    return made


def choose(a, choices, out=None, mode="raise"):
    places = asarray(a)
    made = choices[0]
    for at, choice in enumerate(choices):
        made = where(places == at, choice, made)
    return made


def delete(arr, obj, axis=None):
    a, axis = _along(arr, axis)
    size = a.shape[axis]
    gone = builtins.range(*obj.indices(size)) if isinstance(obj, slice) else _listed(obj)
    gone = {at % size for at in gone}
    kept = [at for at in builtins.range(size) if at not in gone]
    return a[(slice(None),) * axis + (array(kept, dtype="int64"),)]


def insert(arr, obj, values, axis=None):
    """One value before each of `obj`, or several before one."""
    a, axis = _along(arr, axis)
    rows = [*moveaxis(a, axis, 0)]
    places = [at + len(rows) if at < 0 else at for at in _listed(obj)]
    new = asarray(values, dtype=a.dtype)
    is_row = new.ndim < a.ndim
    news = [new] if is_row else [*new]
    places = places * len(news) if len(places) == 1 else places
    news = news * len(places) if len(news) == 1 else news
    order = builtins.sorted(builtins.range(len(places)), key=lambda at: places[at])
    for shift, at in enumerate(order):
        rows.insert(places[at] + shift, news[at])
    return moveaxis(stack(broadcast_arrays(*rows)), 0, axis)


def _along(arr, axis):
    a = asarray(arr)
    return (a.ravel(), 0) if axis is None else (a, axis % a.ndim)


def _listed(obj):
    places = asarray(obj)
    if places.dtype.kind == "b":
        return [at for at, holds in enumerate(places.tolist()) if holds]
    return places.ravel().tolist()


def resize(a, new_shape):
    sizes = tuple(new_shape) if hasattr(new_shape, "__iter__") else (new_shape,)
    flat = asarray(a).ravel().tolist()
    count = 1
    for size in sizes:
        count *= size
    numbers = [flat[at % len(flat)] for at in builtins.range(count)]
    return array(numbers, dtype=asarray(a).dtype).reshape(*sizes)


def putmask(a, mask, values):
    a[asarray(mask).astype(bool)] = values


def copyto(dst, src, casting="same_kind", where=True):
    if where is True:
        dst[...] = src
    else:
        dst[asarray(where)] = asarray(src)[asarray(where)] if isinstance(src, ndarray) else src


def block(arrays):
    """Lists within lists: the innermost join along the last axis, those around them before it."""

    def depth(part):
        return 1 + depth(part[0]) if isinstance(part, list) else 0

    def join(part, level):
        if level == 0:
            return asarray(part)
        return concatenate([join(one, level - 1) for one in part], -level)

    return join(arrays, depth(arrays))

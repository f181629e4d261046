"""Shapes, order and joining of arrays; most are methods too."""

import builtins

from ._array import array, asarray, host, ndarray
from ._types import promote


def _tensors(arrays):
    """All in one element type."""
    arrays = [asarray(a) for a in arrays]
    wanted = arrays[0].dtype
    for a in arrays[1:]:
        wanted = promote(wanted, a.dtype)
    return [a.astype(wanted, copy=False)._tensor for a in arrays]


def reshape(a, /, shape=None, order="C", *, newshape=None):
    sizes = shape if shape is not None else newshape
    sizes = tuple(sizes) if hasattr(sizes, "__iter__") else (sizes,)
    return ndarray(host("reshape", asarray(a)._tensor, sizes))


def ravel(a, order="C"):
    return ndarray(host("reshape", asarray(a)._tensor, (-1,)))


def transpose(a, axes=None):
    a = asarray(a)
    axes = range(a.ndim - 1, -1, -1) if axes is None else axes
    return ndarray(host("permute", a._tensor, tuple(axes)))


permute_dims = transpose


def swapaxes(a, axis1, axis2):
    return ndarray(host("transpose", asarray(a)._tensor, axis1, axis2))


def moveaxis(a, source, destination):
    return ndarray(host("movedim", asarray(a)._tensor, source, destination))


def rollaxis(a, axis, start=0):
    a = asarray(a)
    axis %= a.ndim
    order = [i for i in range(a.ndim) if i != axis]
    order.insert(start - 1 if axis < start else start, axis)
    return transpose(a, order)


def expand_dims(a, axis):
    tensor = asarray(a)._tensor
    for one in builtins.sorted(axis) if isinstance(axis, tuple) else (axis,):
        tensor = host("unsqueeze", tensor, one)
    return ndarray(tensor)


def squeeze(a, axis=None):
    a = asarray(a)
    return ndarray(host("squeeze", a._tensor, *(() if axis is None else (axis,))))


def broadcast_to(array, shape, subok=False):
    return ndarray(host("expand", asarray(array)._tensor, tuple(shape)))


def broadcast_arrays(*args):
    import torch

    sizes = torch.broadcast_shapes(*(asarray(a).shape for a in args))
    return tuple(broadcast_to(a, sizes) for a in args)


def repeat(a, repeats, axis=None):
    a = asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    repeats = repeats._tensor if isinstance(repeats, ndarray) else repeats
    if isinstance(repeats, (list, tuple)):
        repeats = array(repeats)._tensor
    return ndarray(host("repeat_interleave", a._tensor, repeats, dim=axis))


def tile(A, reps):  # noqa: N803
    reps = tuple(reps) if hasattr(reps, "__iter__") else (reps,)
    return ndarray(host("tile", asarray(A)._tensor, reps))


def flip(m, axis=None):
    m = asarray(m)
    axes = tuple(range(m.ndim)) if axis is None else axis
    return ndarray(host("flip", m._tensor, axes if isinstance(axes, tuple) else (axes,)))


def fliplr(m):
    return flip(m, 1)


def flipud(m):
    return flip(m, 0)


def roll(a, shift, axis=None):
    a = asarray(a)
    if axis is None:
        return ndarray(host("roll", a.ravel()._tensor, shift)).reshape(a.shape)
    return ndarray(host("roll", a._tensor, shift, axis))


def rot90(m, k=1, axes=(0, 1)):
    return ndarray(host("rot90", asarray(m)._tensor, k, axes))


def pad(array, pad_width, mode="constant", constant_values=0):
    a = asarray(array)
    if isinstance(pad_width, int):
        pairs = [(pad_width, pad_width)] * a.ndim
    else:
        pairs = [tuple(p) if hasattr(p, "__iter__") else (p, p) for p in pad_width]
        if len(pairs) != a.ndim:
            pairs = [tuple(pad_width)] * a.ndim
    flat = [n for pair in reversed(pairs) for n in pair]
    names = {"edge": "replicate", "reflect": "reflect", "wrap": "circular", "constant": "constant"}
    if mode == "constant":
        return ndarray(host("pad", a._tensor, flat, value=constant_values))
    # What is padded of itself has two axes before the padded ones.
    made = host("pad", host("reshape", a._tensor, (1, 1, *a.shape)), flat, mode=names[mode])
    return ndarray(made).reshape(*tuple(made.shape)[2:])


def concatenate(arrays, axis=0, out=None, dtype=None):
    parts = _tensors(arrays)
    if axis is None:
        parts, axis = [host("reshape", part, (-1,)) for part in parts], 0
    made = ndarray(host("cat", parts, axis))
    return made if dtype is None else made.astype(dtype)


concat = concatenate


def stack(arrays, axis=0, out=None):
    return ndarray(host("stack", _tensors(arrays), axis))


def atleast_1d(*arys):
    return _raised(arys, lambda a: a if a.ndim else a.reshape(1))


def atleast_2d(*arys):
    return _raised(arys, lambda a: a if a.ndim > 1 else a.reshape(1, -1))


def atleast_3d(*arys):
    def raise_rank(a):
        if a.ndim < 2:
            return a.reshape(1, -1, 1)
        return a if a.ndim > 2 else a.reshape(*a.shape, 1)

    return _raised(arys, raise_rank)


def _raised(arrays, function):
    made = tuple(function(asarray(a)) for a in arrays)
    return made[0] if len(made) == 1 else made


def vstack(tup):
    return concatenate([atleast_2d(a) for a in tup], 0)


row_stack = vstack


def hstack(tup):
    arrays = [atleast_1d(a) for a in tup]
    return concatenate(arrays, 0 if arrays[0].ndim == 1 else 1)


def dstack(tup):
    return concatenate([atleast_3d(a) for a in tup], 2)


def column_stack(tup):
    columns = [asarray(a) for a in tup]
    return concatenate([a.reshape(-1, 1) if a.ndim < 2 else a for a in columns], 1)


def append(arr, values, axis=None):
    if axis is None:
        return concatenate([asarray(arr).ravel(), asarray(values).ravel()])
    return concatenate([arr, values], axis)


def array_split(ary, indices_or_sections, axis=0):
    a = asarray(ary)
    at = indices_or_sections
    at = at if isinstance(at, int) else tuple(at)
    return [ndarray(part) for part in host("tensor_split", a._tensor, at, axis)]


def split(ary, indices_or_sections, axis=0):
    if isinstance(indices_or_sections, int) and asarray(ary).shape[axis] % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


def hsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0 if asarray(ary).ndim == 1 else 1)


def vsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0)


def _method(function):
    def method(self, *args, **kwargs):
        return function(self, *args, **kwargs)

    return method


def _reshaped(self, *shape, order="C"):
    return reshape(self, shape[0] if len(shape) == 1 else shape)


def _transposed(self, *axes):
    if len(axes) == 1 and (axes[0] is None or hasattr(axes[0], "__iter__")):
        axes = axes[0]
    return transpose(self, axes or None)


ndarray.reshape = _reshaped
ndarray.transpose = _transposed
ndarray.flatten = lambda self, order="C": ravel(self).copy()
for _function in (ravel, swapaxes, squeeze, repeat):
    setattr(ndarray, _function.__name__, _method(_function))

"""einops_exts: the operations of einops on several tensors, and on axes that are given as a list."""

import re

from einops import rearrange, reduce, repeat


def rearrange_many(tensors, pattern, **sizes):
    return (rearrange(it, pattern, **sizes) for it in tensors)


def repeat_many(tensors, pattern, **sizes):
    return (repeat(it, pattern, **sizes) for it in tensors)


def reduce_many(tensors, pattern, **sizes):
    return (reduce(it, pattern, **sizes) for it in tensors)


def rearrange_with_anon_dims(tensor, pattern, **sizes):
    """`...d` in the pattern stands for as many axes as the list `d` has sizes."""
    spelled, named = _spelled(pattern, sizes)
    return rearrange(tensor, spelled, **named)


def repeat_with_anon_dims(tensor, pattern, **sizes):
    spelled, named = _spelled(pattern, sizes)
    return repeat(tensor, spelled, **named)


def check_shape(tensor, pattern, **sizes):
    """The tensor itself; raises where an axis has another size."""
    return rearrange(tensor, " -> ".join((pattern, pattern)), **sizes)


def _spelled(pattern, sizes):
    """The pattern with a name for each axis of a list, and the sizes by those names."""
    named = {}
    for name, size in sizes.items():
        if isinstance(size, (list, tuple)):
            axes = {f"{name}{i}": it for i, it in enumerate(size)}
            pattern = re.sub(rf"\.\.\.{name}\b", " ".join(axes), pattern)
            named |= axes
        else:
            named[name] = size
    return pattern, named

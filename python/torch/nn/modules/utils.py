"""Sizes given as one number or one for each axis."""

from itertools import repeat


def _ntuple(n, name="parse"):
    def parse(x):
        if hasattr(x, "__iter__"):
            return tuple(x)
        return tuple(repeat(x, n))

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def _reverse_repeat_tuple(t, n):
    """(a, b) → (b, …, b, a, …, a), each n times: the order in which `pad` takes them."""
    return tuple(x for x in reversed(t) for _ in range(n))

"""Tensors of different shapes as one along an axis, and back."""

import itertools
import math

from torch._call import call

from ._pattern import EinopsError


def _star(pattern, name):
    """How many axes stand before and after the star."""
    axes = pattern.split()
    if len(axes) != len(set(axes)):
        raise EinopsError(f'Duplicates in axes names in {name}(..., "{pattern}")')
    if "*" not in axes:
        raise EinopsError(f'No *-axis in {name}(..., "{pattern}")')
    for axis in axes:
        if axis != "*" and not axis.isidentifier():
            raise EinopsError(f'Invalid axis name {axis} in {name}(..., "{pattern}")')
    before = axes.index("*")
    return before, len(axes) - before - 1


def pack(tensors, pattern):
    """The packed tensor, and the shapes that the star stood for."""
    before, after = _star(pattern, "pack")
    shapes = []
    for i, tensor in enumerate(tensors):
        if tensor.dim() < before + after:
            raise EinopsError(
                f"packed tensor #{i} (enumeration starts with 0) has shape {tuple(tensor.shape)}, "
                "while pattern "
                f"{pattern} assumes at least {before + after} axes"
            )
        shapes.append(tensor.shape[before : tensor.dim() - after])
    return _packed(tensors, before, after), shapes


def _packed(tensors, before, after):
    flat = []
    for tensor in tensors:
        end = tensor.dim() - after
        flat.append(tensor.reshape(*tensor.shape[:before], -1, *tensor.shape[end:]))
    return call("cat", (flat,), {"dim": before})


def unpack(tensor, packed_shapes, pattern):
    before, after = _star(pattern, "unpack")
    if tensor.dim() != before + 1 + after:
        raise EinopsError(
            f"unpack(..., {pattern}) received input of wrong dim with shape {tuple(tensor.shape)}"
        )
    lengths = [None if -1 in shape else math.prod(shape) for shape in packed_shapes]
    unknown = [i for i, length in enumerate(lengths) if length is None]
    if len(unknown) > 1:
        raise EinopsError(f"unpack(..., {pattern}) received more than one -1 in {packed_shapes}")
    total = tensor.shape[before]
    if unknown:
        lengths[unknown[0]] = total - sum(length for length in lengths if length is not None)
    if sum(lengths) != total or min(lengths) < 0:
        raise EinopsError(
            f'unpack(..., "{pattern}") can\'t be done: lengths {lengths} do not make up the axis '
            f"of {total}"
        )
    return _unpacked(tensor, packed_shapes, before, lengths)


def _unpacked(tensor, shapes, before, lengths):
    ends = list(itertools.accumulate(lengths))
    parts = []
    for shape, length, end in zip(shapes, lengths, ends):
        part = tensor[(*[slice(None)] * before, slice(end - length, end))]
        parts.append(part.reshape(*tensor.shape[:before], *shape, *tensor.shape[before + 1 :]))
    return parts

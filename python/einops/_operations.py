"""rearrange, reduce and repeat: axes taken apart, reduced, put in order, added, and joined."""

import itertools
import math

from torch._call import call
from torch._tensor import Tensor

from ._pattern import EinopsError, has_ellipsis, parse, parse_side, sizes_of, with_ellipsis

_REDUCTIONS = {"min": "amin", "max": "amax", "sum": "sum", "mean": "mean"}


def _apply(tensor, pattern, reduction, axes_lengths):
    if isinstance(tensor, (list, tuple)):
        tensor = call("stack", ([_as_tensor(item) for item in tensor],), {})
    is_array = not isinstance(tensor, Tensor)
    try:
        made = _transformed(_as_tensor(tensor), pattern, reduction, axes_lengths)
    except EinopsError as error:
        name = reduction if isinstance(reduction, str) else "reduce"
        raise EinopsError(
            f' Error while processing {name}-reduction pattern "{pattern}".\n'
            f" Input tensor shape: {tensor.shape}. Additional info: {axes_lengths}.\n "
            f"{error}"
        ) from error
    return type(tensor)(made) if is_array else made


def _as_tensor(value):
    return value if isinstance(value, Tensor) else value.__torch_tensor__()


def _transformed(tensor, pattern, reduction, axes_lengths):
    left, right = parse(pattern)
    if has_ellipsis(right) and not has_ellipsis(left):
        raise EinopsError(f"Ellipsis found in right side, but not left side of a pattern {pattern}")
    rank = tensor.dim()
    if has_ellipsis(left):
        extra = rank - (len(left) - 1)
        if extra < 0:
            raise EinopsError(
                f"Wrong shape: expected >={len(left) - 1} dims. Received {rank}-dim tensor."
            )
        left, right = with_ellipsis(left, extra), with_ellipsis(right, extra)
    elif len(left) != rank:
        raise EinopsError(f"Wrong shape: expected {len(left)} dims. Received {rank}-dim tensor.")
    left, right = _numbers_as_axes(left, "left"), _numbers_as_axes(right, "right")
    sizes = sizes_of(left, tensor.shape, {**axes_lengths, **_numbers(left), **_numbers(right)})
    ours = [name for group in left for name in group]
    theirs = [name for group in right for name in group]
    _check_names(ours, theirs, reduction, axes_lengths)
    # The same calls in the same order as the package makes: they stand beside the user's line.
    if any(len(group) != 1 for group in left):
        tensor = tensor.reshape([sizes[name] for name in ours])
    kept = [name for name in theirs if name in ours]
    gone = [name for name in ours if name not in theirs]
    if kept + gone != ours:
        tensor = tensor.permute([ours.index(name) for name in kept + gone])
    if gone:
        tensor = _reduce(tensor, reduction, tuple(range(len(kept), len(ours))))
    tensor = _add_axes(tensor, theirs, ours, sizes)
    if any(len(group) != 1 for group in right):
        tensor = tensor.reshape([math.prod(sizes[name] for name in group) for group in right])
    return tensor


class _Number(str):
    """The name of an axis of which a pattern has the size alone: another one each time."""

    def __new__(cls, name, size):
        axis = super().__new__(cls, name)
        axis.size = size
        return axis

    def __repr__(self):
        return f"{self.size}-axis"


def _numbers_as_axes(groups, side):
    places = itertools.count()

    def named(name):
        return _Number(f"{side}#{next(places)}", int(name)) if name.isdecimal() else name

    return [tuple(named(name) for name in group) for group in groups]


def _numbers(groups):
    """The sizes of those axes."""
    return {name: name.size for group in groups for name in group if isinstance(name, _Number)}


def _check_names(ours, theirs, reduction, axes_lengths):
    if reduction == "rearrange" and any(isinstance(name, _Number) for name in (*ours, *theirs)):
        raise EinopsError(
            "Non-unitary anonymous axes are not supported in rearrange (exception is length 1)"
        )
    only_left = [name for name in ours if name not in theirs]
    only_right = [name for name in theirs if name not in ours]
    if reduction == "rearrange" and (only_left or only_right):
        raise EinopsError(
            "Identifiers only on one side of expression (should be on both): "
            f"{set(only_left + only_right)}"
        )
    if reduction == "repeat":
        if only_left:
            raise EinopsError(
                f"Unexpected identifiers on the left side of repeat: {set(only_left)}"
            )
        unknown = [
            name
            for name in only_right
            if name not in axes_lengths and not isinstance(name, _Number)
        ]
        if unknown:
            raise EinopsError(f"Specify sizes for new axes in repeat: {set(unknown)}")
    elif only_right and reduction != "rearrange":
        raise EinopsError(
            f"Unexpected identifiers on the right side of reduce {reduction}: {set(only_right)}"
        )
    for name in axes_lengths:
        if name not in ours and name not in theirs:
            raise EinopsError(f"Axis {name} is not used in transform")


def _reduce(tensor, reduction, axes):
    if callable(reduction):
        return reduction(tensor, axes)
    if reduction in _REDUCTIONS:
        if reduction == "mean" and not (tensor.is_floating_point() or tensor.is_complex()):
            raise NotImplementedError("reduce_mean is not available for non-floating tensors")
        return call(_REDUCTIONS[reduction], (tensor, axes), {})
    if reduction in ("prod", "any", "all"):
        for axis in sorted(axes, reverse=True):
            tensor = call(reduction, (tensor, axis), {})
        return tensor
    raise EinopsError(
        f"Unknown reduction {reduction}. Expect one of min, max, sum, mean, prod, any, all."
    )


def _add_axes(tensor, theirs, ours, sizes):
    added = [i for i, name in enumerate(theirs) if name not in ours]
    if not added:
        return tensor
    for axis in added:
        tensor = call("unsqueeze", (tensor, axis), {})
    return tensor.expand([sizes[name] if i in added else -1 for i, name in enumerate(theirs)])


def rearrange(tensor, pattern, **axes_lengths):
    return _apply(tensor, pattern, "rearrange", axes_lengths)


def reduce(tensor, pattern, reduction, **axes_lengths):
    return _apply(tensor, pattern, reduction, axes_lengths)


def repeat(tensor, pattern, **axes_lengths):
    return _apply(tensor, pattern, "repeat", axes_lengths)


def parse_shape(x, pattern):
    """The sizes of the named axes, as keyword arguments for the others."""
    groups = parse_side(pattern)
    if has_ellipsis(groups):
        groups = with_ellipsis(groups, len(x.shape) - len(groups) + 1)
    if len(groups) != len(x.shape):
        raise RuntimeError(
            f"Can't parse shape with different number of dimensions: {pattern} {tuple(x.shape)}"
        )
    found = {}
    for group, size in zip(groups, x.shape):
        if len(group) > 1:
            raise RuntimeError(f"Can't parse shape with composite axes: {pattern} {tuple(x.shape)}")
        for name in group:
            if name.isdecimal():
                if int(name) != size:
                    raise RuntimeError(
                        f"Length of anonymous axis does not match: {pattern} {tuple(x.shape)}"
                    )
            elif name != "_" and name.isidentifier():
                found[name] = size
    return found


def asnumpy(tensor):
    return tensor.detach().cpu().numpy() if isinstance(tensor, Tensor) else tensor

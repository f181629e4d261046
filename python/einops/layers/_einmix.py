"""Einstein summation of an input and a weight that the layer owns, with einops' brackets on either side."""

import math
import string

import torch
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter

from einops._pattern import ELLIPSIS, EinopsError, parse, parse_side


class EinMix(Module):
    """`weight_shape` and `bias_shape` are names of axes, whose sizes are given by name."""

    def __init__(self, pattern, weight_shape, bias_shape=None, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.weight_shape = weight_shape
        self.bias_shape = bias_shape
        self.axes_lengths = axes_lengths
        left, right = parse(pattern)
        weight = _weight_axes(weight_shape)
        _check(pattern, left, right, weight, axes_lengths)
        self._place_layers(pattern, left, right)
        mixed = math.prod(axes_lengths[axis] for axis in weight if axis not in _names(right))
        self.weight = _uniform([axes_lengths[axis] for axis in weight], (3 / mixed) ** 0.5)
        shape = _bias_sizes(bias_shape, right, axes_lengths)
        self.bias = None if shape is None else _uniform(shape, (1 / mixed) ** 0.5)
        self.einsum_pattern = _equation(_names(left), weight, _names(right))

    def _place_layers(self, pattern, left, right):
        from .torch import Rearrange

        before, _, after = pattern.partition("->")
        self.pre_rearrange = self.post_rearrange = None
        if not _is_flat(left):
            names = _names(left)
            lengths = {name: n for name, n in self.axes_lengths.items() if name in names}
            self.pre_rearrange = Rearrange(f"{before}-> {_text(names)}", **lengths)
        if not _is_flat(right):
            self.post_rearrange = Rearrange(f"{_text(_names(right))} ->{after}")

    def forward(self, input):
        if self.pre_rearrange is not None:
            input = self.pre_rearrange(input)
        result = torch.einsum(self.einsum_pattern, input, self.weight)
        if self.bias is not None:
            result += self.bias
        return result if self.post_rearrange is None else self.post_rearrange(result)

    def extra_repr(self):
        parts = [f"'{self.pattern}', '{self.weight_shape}'"]
        if self.bias_shape is not None:
            parts.append(f"'{self.bias_shape}'")
        return ", ".join(parts + [f"{axis}={n}" for axis, n in self.axes_lengths.items()])


def _names(groups):
    """The axes of one side one after the other, an ellipsis among them."""
    return [name for group in groups for name in ((group,) if group == ELLIPSIS else group)]


def _is_flat(groups):
    return all(group == ELLIPSIS or (len(group) == 1 and group[0] != ELLIPSIS) for group in groups)


def _text(names):
    return " ".join("..." if name == ELLIPSIS else name for name in names)


def _weight_axes(weight_shape):
    if "." in weight_shape:
        raise EinopsError(
            "Ellipsis is not supported in weight, as its shape should be fully specified"
        )
    if "(" in weight_shape or ")" in weight_shape:
        raise EinopsError(f"Parenthesis is not allowed in weight shape: {weight_shape}")
    return _names(parse_side(weight_shape))


def _check(pattern, left, right, weight, sizes):
    ours, theirs = set(_names(left)), set(_names(right))
    if (ELLIPSIS in ours) != (ELLIPSIS in theirs):
        raise EinopsError(f"Ellipsis in EinMix should be on both sides, {pattern}")
    if ELLIPSIS in ours and ELLIPSIS not in left:
        raise EinopsError(f"Ellipsis on left side can't be in parenthesis, got {pattern}")
    if any(name.isdecimal() for name in (*ours, *theirs, *weight)):
        raise EinopsError("Anonymous axes (numbers) are not allowed in EinMix")
    _refuse(theirs - ours - set(weight), "Unrecognized identifiers on the right side of EinMix {}")
    for axis in weight:
        if axis not in sizes:
            raise EinopsError(f"Dimension {axis} of weight should be specified")
    _refuse(set(sizes) - ours - set(weight), "Axes {} are not used in pattern")
    _refuse(set(weight) - ours - theirs, "Weight axes {} are redundant")


def _refuse(axes, message):
    if axes:
        raise EinopsError(message.format(axes))


def _bias_sizes(bias_shape, right, sizes):
    """A size for each axis of the output from the first that the bias has; None: no bias."""
    if bias_shape is None:
        return None
    if not isinstance(bias_shape, str):
        raise EinopsError("bias shape should be string specifying which axes bias depends on")
    bias, theirs = _names(parse_side(bias_shape)), _names(right)
    _refuse(set(bias) - set(theirs), "Bias axes {} not present in output")
    _refuse(set(bias) - set(sizes), "Sizes not provided for bias axes {}")
    at = theirs.index(ELLIPSIS) if ELLIPSIS in theirs else -1
    if any(axis in bias for axis in theirs[: max(at, 0)]):
        raise EinopsError("all bias dimensions should go after ellipsis in the output")
    return [sizes[axis] if axis in bias else 1 for axis in theirs if axis != ELLIPSIS]


def _uniform(shape, bound):
    return Parameter(torch.zeros(shape).uniform_(-bound, bound), requires_grad=True)


def _equation(left, weight, right):
    names = sorted({*left, *weight, *right} - {ELLIPSIS})
    letters = {**dict(zip(names, string.ascii_lowercase)), ELLIPSIS: "..."}
    ours, own, theirs = ("".join(letters[name] for name in axes) for axes in (left, weight, right))
    return f"{ours},{own}->{theirs}"

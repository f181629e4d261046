"""torch.* functions and Tensor methods that are written in Python of those of the host."""

import math

from ._axes import check_dim
from ._call import add_missing, call, composite, new_leaf
from ._dtypes import (
    Size,
    bool as bool_,
    complex64,
    complex128,
    float32,
    float64,
    int64,
    preserve_format,
)
from ._factories import as_tensor, get_default_dtype
from ._spectra import istft, stft  # noqa: F401
from ._vmap import vmap  # noqa: F401

# Functions of torch; those of METHODS are methods of Tensor too.
FUNCTIONS = [
    "alpha_dropout",
    "constant_pad_nd",
    "dropout",
    "embedding",
    "embedding_bag",
    "feature_alpha_dropout",
    "istft",
    "nanquantile",
    "norm_except_dim",
    "pdist",
    "qr",
    "quantile",
    "range",
    "renorm",
    "scalar_tensor",
    "spmm",
    "stft",
    "unravel_index",
    "unsafe_chunk",
    "unsafe_split",
    "unsafe_split_with_sizes",
    "vdot",
    "vmap",
    "zero_",
]
METHODS = [
    "cdouble",
    "cfloat",
    "dim_order",
    "is_set_to",
    "istft",
    "nanquantile",
    "qr",
    "quantile",
    "renorm",
    "resize_as_",
    "stft",
    "sum_to_size",
    "unsafe_chunk",
    "unsafe_split",
    "unsafe_split_with_sizes",
    "vdot",
]


def _quantile(input, q, dim, keepdim, interpolation, ignore_nan):
    if input.dtype not in (float32, float64):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, "
            "but got " + interpolation
        )
    if input.numel() == 0:
        raise RuntimeError("quantile() input tensor must be non-empty")
    shares = as_tensor(q, dtype=input.dtype)
    if interpolation != "linear":
        shares = shares.detach()
    axis = -1 if dim is None else dim
    # A tensor without axes is one of one element, whichever way its axis is named.
    is_single = input.dim() == 0
    flat = input.reshape(-1) if dim is None or is_single else input
    moved = flat.transpose(axis, -1)
    ordered, places = moved.sort(dim=-1)
    # Few places of long rows PyTorch picks in the tensor itself, where its rows lie one by one.
    ranks = shares.numel() * (2 if interpolation in ("linear", "midpoint") else 1)
    if ranks**2 <= moved.shape[-1] and moved.is_contiguous():
        found, picked = moved, places
    else:
        found, picked = ordered, None
    if ignore_nan:
        last = (~ordered.isnan()).sum(-1, keepdim=True) - 1
    else:
        last = ordered.isnan().any(-1, keepdim=True).logical_not() * (ordered.shape[-1] - 1)
    rows = [
        _at_share(found, picked, share, last, interpolation)
        for share in shares.reshape(-1).unbind(0)
    ]
    if not ignore_nan:
        hidden = ordered.isnan().any(-1, keepdim=True)
        rows = [row.masked_fill(hidden, math.nan) for row in rows]
    rows = [row.transpose(axis, -1) for row in rows]
    if dim is None:
        rows = [row.reshape([1] * input.dim()) if keepdim else row.squeeze(-1) for row in rows]
    elif not keepdim:
        rows = [row.squeeze(axis) for row in rows]
    elif is_single:
        rows = [row.squeeze(-1) for row in rows]
    rows = [row.contiguous() for row in rows]
    # PyTorch has the shares on the last axis, and moves it to the front.
    made = call("stack", (rows,), {"dim": -1}).movedim(-1, 0) if shares.dim() else rows[0]
    return made.clone()


def _at_share(rows, order, share, last, interpolation):
    """What lies at `share` of the way to the place `last` of the last axis of `rows` in order.

    `order` has the place of each in its row; None where the rows are in order.
    """
    place = share * last

    def element(at):
        at = at.to(int64).clamp(min=0)
        return rows.gather(-1, at if order is None else order.gather(-1, at))

    if interpolation == "nearest":
        return element(place.round())
    low, high = place.floor(), place.ceil()
    if interpolation in ("lower", "higher"):
        return element(low if interpolation == "lower" else high)
    weight = (place - low) if interpolation == "linear" else (high - low) * 0.5
    return call("lerp", (element(low), element(high), weight.to(rows.dtype)), {})


@composite("quantile")
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    return _quantile(input, q, dim, keepdim, interpolation, False)


@composite("nanquantile")
def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    return _quantile(input, q, dim, keepdim, interpolation, True)


@composite("renorm")
def renorm(input, p, dim, maxnorm):
    """Every part along `dim` made smaller where its p-norm is larger than `maxnorm`."""
    if input.dim() < 2:
        raise RuntimeError(
            f"renorm: input needs at least 2 dimensions, got {input.dim()} dimensions"
        )
    check_dim(dim, input.dim())
    if not (input.is_floating_point() or input.is_complex()):
        raise NotImplementedError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input."
        )
    axes = [axis for axis in range_of(input.dim()) if axis != dim % input.dim()]
    norms = input.norm(p, dim=axes, keepdim=True)
    is_longer, one = norms > maxnorm, norms.new_ones(())
    # A row of zeros, whose quotient half precision does not hold, has no part in the gradient.
    longer = call("where", (is_longer, norms, one), {})
    factor = call("where", (is_longer, maxnorm / (longer + 1e-7), one), {})
    return (input * factor).contiguous()


range_of = range


def range(start=0, end=None, step=1, *, dtype=None, requires_grad=False, **placing):  # noqa: A001
    """As arange, with the end."""
    _refuse_unknown("range", placing)
    start, end = (0, start) if end is None else (start, end)
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) / step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    count = int((end - start) / step + 1)
    made = call("arange", (count,), {"dtype": dtype or get_default_dtype()}) * step + start
    return new_leaf(made) if requires_grad else made


def scalar_tensor(s, *, dtype=None, requires_grad=False, **placing):
    _refuse_unknown("scalar_tensor", placing)
    made = call("full", ((), s), {"dtype": dtype or get_default_dtype()})
    return new_leaf(made) if requires_grad else made


def _refuse_unknown(name, placing):
    """All memory is alike here; other keywords are mistakes."""
    for key in placing:
        if key not in ("device", "layout", "pin_memory"):
            raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")


def dropout(input, p, train):
    return call("dropout", (input,), {"p": p, "training": train})


def alpha_dropout(input, p, train):
    from .nn import functional

    return functional.alpha_dropout(input, p, train)


def feature_alpha_dropout(input, p, train):
    from .nn import functional

    return functional.feature_alpha_dropout(input, p, train)


def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    return call("embedding", (indices, weight, None if padding_idx == -1 else padding_idx), {})


def embedding_bag(
    weight,
    indices,
    offsets,
    scale_grad_by_freq=False,
    mode=0,
    sparse=False,
    per_sample_weights=None,
    include_last_offset=False,
    padding_idx=None,
):
    options = {
        "mode": ("sum", "mean", "max")[mode],
        "per_sample_weights": per_sample_weights,
        "include_last_offset": include_last_offset,
        "padding_idx": padding_idx,
        "scale_grad_by_freq": scale_grad_by_freq,
    }
    from .nn.functional import embedding_bag

    return embedding_bag(indices, weight, offsets, **options)


def constant_pad_nd(input, pad, value=0):
    return call("pad", (input, pad), {"value": value})


def pdist(input, p=2.0):
    from .nn import functional

    return functional.pdist(input, p)


def norm_except_dim(v, pow=2, dim=0):
    from .nn.utils.weight_norm import norm_except_dim as norm

    return norm(v, pow, dim)


def qr(input, some=True):
    return call("qr", (input, "reduced" if some else "complete"), {})


def vdot(input, other):
    return call("dot:vdot", (input.conj() if input.is_complex() else input, other), {})


def spmm(input, mat2):
    return call("mm:spmm", (input, mat2), {})


def unravel_index(indices, shape):
    if indices.is_floating_point() or indices.is_complex() or indices.dtype == bool_:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if isinstance(shape, int):
        shape = (shape,)
    if any(size < 0 for size in shape):
        raise ValueError(f"'shape' cannot have negative values, but got {tuple(shape)}")
    indices = indices.to(int64)
    parts = []
    for size in reversed(tuple(shape)):
        parts.append(indices % size)
        indices = indices.div(size, rounding_mode="floor")
    return call("stack", (parts[::-1],), {"dim": -1}).unbind(-1) if parts else ()


def unsafe_chunk(input, chunks, dim=0):
    return call("chunk", (input, chunks, dim), {})


def unsafe_split(tensor, split_size, dim=0):
    return call("split", (tensor, split_size, dim), {})


def unsafe_split_with_sizes(input, split_sizes, dim=0):
    return call("split", (input, list(split_sizes), dim), {})


def zero_(input):
    return input.zero_()


# Methods only


def cdouble(self, memory_format=None):
    return self.to(complex128, memory_format=memory_format or preserve_format)


def cfloat(self, memory_format=None):
    return self.to(complex64, memory_format=memory_format or preserve_format)


def dim_order(self, ambiguity_check=False):
    """The axes from the outermost of the memory; one that is shown several times stays where it is."""
    order = list(range_of(self.dim()))[::-1]
    if self.is_contiguous():
        return tuple(order[::-1])
    strides, shape = self.stride(), self.shape

    def lies_outside(a, b):
        """1: `a` lies outside of `b`, −1: within it, 0: nobody can tell."""
        if 0 in (strides[a], strides[b]):
            return 0
        if strides[a] != strides[b]:
            return 1 if strides[a] > strides[b] else -1
        return 1 if shape[a] > shape[b] else 0

    for last in range_of(1, self.dim()):
        at = last
        for before in range_of(last - 1, -1, -1):
            found = lies_outside(order[before], order[at])
            if found > 0:
                order[before], order[at] = order[at], order[before]
                at = before
            elif found < 0:
                break
    return tuple(order[::-1])


def is_set_to(self, tensor):
    return self.data_ptr() == tensor.data_ptr() and self.shape == tensor.shape


def resize_as_(self, the_template, *, memory_format=None):
    return self.resize_(*the_template.shape)


@composite("sum_to_size")
def sum_to_size(self, *size):
    """The sum over the axes along which `size` would be broadcast to this shape."""
    wanted = Size(size[0] if len(size) == 1 and not isinstance(size[0], int) else size)
    if not wanted:
        return self.sum()
    extra = self.dim() - len(wanted)
    if extra < 0 or any(
        size not in (1, own) for size, own in zip(wanted, self.shape[extra:], strict=True)
    ):
        raise RuntimeError(
            f"size {{{list(wanted)}}} is not expandable to size {{{list(self.shape)}}}."
        )
    axes = [
        axis
        for axis in range_of(self.dim())
        if axis < extra or wanted[axis - extra] != self.shape[axis]
    ]
    summed = self.sum(axes, keepdim=True) if axes else self
    return summed.reshape(wanted) if extra else summed


def expose(namespace, tensor_class):
    """Adds what is missing to torch's names and to the methods of Tensor."""
    add_missing(namespace, tensor_class, FUNCTIONS, METHODS, globals())

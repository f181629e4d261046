"""Names that torch has beside those of its submodules, and small questions about tensors."""

import math

from . import _dtypes
from ._call import add_missing, call, composite
from ._functions import is_conj, is_inference, is_neg, is_same_size  # noqa: F401

FUNCTIONS = (
    "alpha_dropout_ binary_cross_entropy_with_logits ctc_loss detach_ dropout_ empty_permuted "
    "empty_strided feature_dropout frobenius_norm frombuffer get_device grid_sampler grid_sampler_2d "
    "grid_sampler_3d is_signed kl_div nuclear_norm rrelu rrelu_ sparse_coo_tensor sym_float sym_ite sym_max sym_min sym_not sym_sqrt "
    "sym_sum"
).split()
METHODS = (
    "float_power_ is_conj is_inference is_neg is_nonzero is_same_size narrow_copy "
    "new_empty_strided renorm_"
).split()

_REDUCTIONS = ("none", "mean", "sum")


def kl_div(input, target, reduction=0, *, log_target=False):
    options = {"reduction": _REDUCTIONS[reduction], "log_target": log_target}
    return call("kl_div", (input, target), options)


def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction=0):
    options = {"weight": weight, "pos_weight": pos_weight, "reduction": _REDUCTIONS[reduction]}
    return call("binary_cross_entropy_with_logits", (input, target), options)


def ctc_loss(
    log_probs, targets, input_lengths, target_lengths, blank=0, reduction=0, zero_infinity=False
):
    from .nn.functional import ctc_loss as of_functional

    lengths = (input_lengths, target_lengths)
    return of_functional(log_probs, targets, *lengths, blank, _REDUCTIONS[reduction], zero_infinity)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, generator=None):
    from .nn.functional import rrelu as of_functional

    return of_functional(input, lower, upper, training)


def rrelu_(input, lower=1.0 / 8, upper=1.0 / 3, training=False, generator=None):
    from .nn.functional import rrelu_ as of_functional

    return of_functional(input, lower, upper, training)


def dropout_(input, p, train):
    return input.copy_(call("dropout", (input, p, train), {}))


def alpha_dropout_(input, p, train):
    from .nn.functional import alpha_dropout

    return input.copy_(alpha_dropout(input, p, train))


def feature_dropout(input, p, train):
    return call("feature_dropout", (input, p, train), {})


def grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners):
    options = {
        "mode": ("bilinear", "nearest", "bicubic")[interpolation_mode],
        "padding_mode": ("zeros", "border", "reflection")[padding_mode],
        "align_corners": align_corners,
    }
    return call("grid_sample", (input, grid), options)


grid_sampler_2d = grid_sampler_3d = grid_sampler


def frobenius_norm(input, dim, keepdim=False):
    from . import linalg

    return linalg.vector_norm(input, 2, dim, keepdim)


def nuclear_norm(input, dim=(-2, -1), keepdim=False):
    from . import linalg

    values = linalg.svdvals(input.movedim(tuple(dim), (-2, -1))).sum(-1)
    return _with_axes(values, input.dim(), dim) if keepdim else values


def _with_axes(x, rank, dim):
    """Axes of size 1 where `dim` was summed away."""
    for axis in sorted(axis % rank for axis in dim):
        x = x.unsqueeze(axis)
    return x


def detach_(input):
    return input.detach_()


def is_signed(input):
    return input.is_signed()


def get_device(input):
    return input.get_device()


def empty_strided(size, stride, *, dtype=None, device=None, requires_grad=False, **options):
    span = 1 + sum((n - 1) * step for n, step in zip(size, stride))
    length = 0 if 0 in tuple(size) else span
    made = call("empty", ((length,),), {"dtype": dtype, "device": device})
    made = made.as_strided(tuple(size), tuple(stride))
    return made.requires_grad_() if requires_grad else made


def empty_permuted(size, physical_layout, **options):
    """Empty, with the axes in memory in the order of `physical_layout`."""
    turned = call("empty", (tuple(size[axis] for axis in physical_layout),), options)
    places = [list(physical_layout).index(axis) for axis in range(len(size))]
    return turned.permute(places)


def new_empty_strided(self, size, stride, dtype=None, **options):
    return empty_strided(size, stride, dtype=dtype or self.dtype, **options)


def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """The numbers that lie in bytes."""
    import struct

    codes = {"float32": "f", "float64": "d", "float16": "e", "bool": "?", "uint8": "B"}
    codes |= {"int8": "b", "int16": "h", "int32": "i", "int64": "q"}
    data = bytes(buffer)[offset:]
    count = len(data) // dtype.itemsize if count < 0 else count
    numbers = struct.unpack(f"<{count}{codes[dtype.name]}", data[: count * dtype.itemsize])
    made = call("empty", ((0,),), {"dtype": dtype}).new_tensor(list(numbers))
    return made.requires_grad_() if requires_grad else made


@composite("sparse_coo_tensor")
def sparse_coo_tensor(indices, values, size=None, *, dtype=None, requires_grad=False, **options):
    """The dense tensor of the same elements: a layout is not kept here."""
    from ._factories import as_tensor

    indices, values = as_tensor(indices), as_tensor(values, dtype=dtype)
    if size is None:
        size = [int(row.max()) + 1 for row in indices] + list(values.shape[1:])
    made = values.new_zeros(tuple(size))
    made = made.index_put(tuple(indices.long().unbind(0)), values, accumulate=True)
    return made.requires_grad_() if requires_grad else made


def sym_max(a, b):
    return max(a, b)


def sym_min(a, b):
    return min(a, b)


def sym_not(a):
    return not a


def sym_float(a):
    return float(a)


def sym_sqrt(a):
    return math.sqrt(a)


def sym_sum(args):
    return sum(args)


def sym_ite(b, t, f):
    return t if b else f


def float_power_(self, exponent):
    if self.dtype not in (_dtypes.float64, _dtypes.complex128):
        raise RuntimeError(
            "the base given to float_power_ has dtype "
            f"{_dtypes.cpp_name(self.dtype)} but the operation's result requires dtype Double"
        )
    return self.pow_(exponent.to(self.dtype) if hasattr(exponent, "dtype") else exponent)


def renorm_(self, p, dim, maxnorm):
    return self.copy_(self.renorm(p, dim, maxnorm))


def narrow_copy(self, dim, start, length):
    return self.narrow(dim, start, length).clone()


def is_nonzero(self):
    return bool(self)


def expose(namespace, tensor_class):
    """Adds them to torch's names and to the methods of Tensor."""
    add_missing(namespace, tensor_class, FUNCTIONS, METHODS, globals())

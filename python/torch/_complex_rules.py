"""Calls of complex tensors, written of calls that know them; gradients are PyTorch's formulas."""

import functools
import math

from ._axes import check_dim
from ._call import call
from .autograd.function import Function
from ._complex_curves import log1p_of, paired
from ._complex_refusals import refusal
from ._dtypes import bool as _bool, cpp_name
from ._functions import broadcast_tensors, narrow_complex, result_type


def logaddexp(input, other):
    """ln(eˣ + eʸ), from the one with the larger real part."""
    dtype = result_type(input, other)
    sides = (_beside_complex(side, dtype) for side in (input, other))
    made = _LogAddExp.apply(*broadcast_tensors(*sides))
    if all(side.dtype is not _bool for side in (input, other)):
        return made
    message = "Subtraction, the `-` operator, with a bool tensor is not supported."
    return call("refusing_backward", (made, message), {})


class _LogAddExp(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return _log_of_sum(x, y)

    @staticmethod
    def backward(ctx, d):
        x, y = ctx.saved_tensors
        return d / (1 + (y - x).exp()).conj(), d / (1 + (x - y).exp()).conj()


def _log_of_sum(x, y):
    is_less = x.real < y.real
    low, high = call("where", (is_less, x, y), {}), call("where", (is_less, y, x), {})
    return log1p_of((low - high).exp()) + high


def logcumsumexp(input, dim):
    check_dim(dim, input.dim())
    if input.dim() == 0 or input.numel() == 0:
        return input.clone()
    return _LogCumulativeSum.apply(input, dim)


class _LogCumulativeSum(Function):
    @staticmethod
    def forward(ctx, z, dim):
        made = _log_of_sums(z, dim)
        ctx.dim = dim
        ctx.save_for_backward(z, made)
        return made

    @staticmethod
    def backward(ctx, d):
        z, made = ctx.saved_tensors
        left = (d.conj().log() - made).flip(ctx.dim)
        return (_log_of_sums(left, ctx.dim).flip(ctx.dim) + z).exp().conj(), None


def _log_of_sums(z, dim):
    parts = z.unbind(dim)
    sums = list(parts[:1])
    for part in parts[1:]:
        sums.append(_log_of_sum(sums[-1], part))
    return call("stack", (sums, dim), {})


def logsumexp(input, dim, keepdim=False):
    if input.numel() == 0:
        return input.sum(dim, keepdim=keepdim).log()
    made = _LogSum.apply(input, dim)
    if keepdim:
        return made
    return made.squeeze(dim) if input.dim() else made


class _LogSum(Function):
    """ln Σ eᶻ, keeping its axes. The gradient has PyTorch's loss of digits where z is large."""

    @staticmethod
    def forward(ctx, z, dim):
        top = z.real.amax(dim, keepdim=True)
        top = top.masked_fill(top.abs() == math.inf, 0)
        made = (z - top).exp().sum(dim, keepdim=True).log() + top
        ctx.save_for_backward(z, made)
        return made

    @staticmethod
    def backward(ctx, d):
        z, made = ctx.saved_tensors
        return d * (z - made).conj().exp(), None


def _of_one_or_none(key):
    """A call that PyTorch has of a complex number without axes, and of no numbers."""

    def rule(input, *args, **kwargs):
        found = call(key, (input.detach().real, *args), kwargs)
        if input.dim() > 0 and (input.numel() > 0 or key == "kthvalue"):
            raise refusal(key, (input,), {})
        if input.requires_grad:
            raise NotImplementedError(
                f"{key} does not support automatic differentiation for outputs with complex dtype."
            )
        return type(found)((input + 0 if input.dim() == 0 else found[0].to(input.dtype), found[1]))

    return rule


def prod(input, dim=None, keepdim=False, *, dtype=None):
    z = input if dtype is None else _beside_complex(input, dtype)
    if dim is None:
        z, dim = z.reshape(-1), 0
    check_dim(dim, z.dim())
    if z.dim() == 0:
        return z.clone()
    if z.shape[dim] == 0:
        return z.sum(dim, keepdim=keepdim) + 1
    factors = z.unbind(dim)
    made = functools.reduce(lambda x, y: x * y, factors[1:], factors[0].clone())
    return made.unsqueeze(dim) if keepdim else made


def _beside_complex(x, dtype):
    """x in a complex type, in which a real tensor has no gradient."""
    if x.is_complex() or not x.is_floating_point():
        return x.to(dtype)
    taken = x.new_ones((), dtype=_bool)
    return call("where", (taken, x, x.new_zeros((), dtype=dtype)), {})


def _of_real_parts(key):
    """A call that PyTorch has of real numbers only, and so where it is asked for their type."""

    def rule(input, *args, **kwargs):
        dtype = kwargs.get("dtype") or next((arg for arg in args if hasattr(arg, "itemsize")), None)
        if dtype is not None and not dtype.is_complex:
            return call(key, (input.to(dtype), *args), kwargs)
        error = refusal(key, (input, *args), kwargs)
        if input.numel() > 0 or isinstance(error, IndexError):
            raise error
        made = input.clone()
        if made.requires_grad:
            native = "_log_softmax" if "log_softmax" in key else "_softmax"
            raise NotImplementedError(
                f"{native} does not support automatic differentiation for outputs with complex dtype."
            )
        return made

    return rule


_SHARES = "softmax log_softmax softmin functional.softmax functional.log_softmax".split()


# Distances


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return call(
        "l1_loss", ((input - target).abs(), 0 * (input - target).abs()), {"reduction": reduction}
    )


_real_of_complex = (
    "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex) "
    "to be true, but got false."
)


def dist(input, other, p=2):
    made = call("vector_norm", (input - other, p), {})
    if narrow_complex(input, other) is not None:
        message = "\"div_cpu\" not implemented for 'ComplexHalf'"
        return call("refusing_backward", (made.half(), message), {})
    if any(not side.is_complex() and side.requires_grad for side in (input, other)):
        return call("refusing_backward", (made, _real_of_complex), {})
    return made


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return call("vector_norm", (x1 - x2 + eps, p), {"dim": -1, "keepdim": keepdim})


def normalize(input, p=2.0, dim=1, eps=1e-12):
    size = call("vector_norm", (input, p), {"dim": dim, "keepdim": True})
    return input / size.clamp_min(eps)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    axes = list(range(-len(normalized_shape), 0))
    eps = (2**-52 if "128" in input.dtype.name else 2**-23) if eps is None else eps
    made = input * ((input**2).mean(axes, keepdim=True) + eps).rsqrt()
    return made if weight is None else made * weight


def isclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=False):
    gap = (input - other).abs()
    made = (input == other) | (gap.isfinite() & (gap <= atol + (rtol * other).abs()))
    return made | (input.isnan() & other.isnan()) if equal_nan else made


# Products of matrices


def _added(input, product, beta, alpha):
    product = product if alpha == 1 else alpha * product
    if beta == 0:
        return product
    return (input if beta == 1 else beta * input) + product


def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    return _added(input, call("mm", (mat1, mat2), {}), beta, alpha)


def addmv(input, mat, vec, *, beta=1, alpha=1):
    return _added(input, call("mv", (mat, vec), {}), beta, alpha)


def addr(input, vec1, vec2, *, beta=1, alpha=1):
    return _added(input, call("outer", (vec1, vec2), {}), beta, alpha)


def baddbmm(input, batch1, batch2, *, beta=1, alpha=1):
    return _added(input, call("bmm", (batch1, batch2), {}), beta, alpha)


def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    return _added(input, call("bmm", (batch1, batch2), {}).sum(0), beta, alpha)


def multi_dot(tensors):
    return functools.reduce(lambda x, y: x @ y, tensors)


def vecdot(x, y, *, dim=-1):
    return (x.conj() * y).sum(dim)


# Tables


def logspace(start, end, steps, base=10.0, *, dtype=None):
    places = call("linspace", (start, end, steps), {"dtype": dtype})
    return call("pow", (base, places), {})


def scatter(input, dim, index, src=None, value=None, *, reduce=None):
    given = value if src is None else src
    if reduce == "multiply":
        made = _scatter_product(input, dim, index, given)
        return call(
            "refusing_backward", (made, "derivative for aten::scatter is not implemented"), {}
        )
    given = given if hasattr(given, "dtype") else complex(given)
    parts = zip((input.real, input.imag), (given.real, given.imag))
    options = {} if reduce is None else {"reduce": reduce}
    return paired(*(call("scatter", (to, dim, index, of), options) for to, of in parts))


def _scatter_product(input, dim, index, src):
    """One layer of `index` along `dim` after the other: none lists a place twice."""
    made = input.clone()
    for at in range(index.shape[dim] if index.dim() else 1):
        places = index.narrow(dim, at, 1) if index.dim() else index
        factor = src.narrow(dim, at, 1) if hasattr(src, "dtype") and src.dim() else src
        if hasattr(factor, "dtype"):
            for axis, size in enumerate(places.shape):
                factor = factor.narrow(axis, 0, size)
        made = made.scatter(dim, places, made.gather(dim, places) * factor)
    return made


def scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    if reduce in ("amax", "amin"):
        raise NotImplementedError(
            f"\"scatter_gather_tensor_cpu_reduce_{reduce}\" not implemented for '{cpp_name(input.dtype)}'"
        )
    if reduce == "prod":
        start = input if include_self else input.scatter(dim, index, 1)
        return _scatter_product(start, dim, index, src)
    options = {"include_self": include_self}
    parts = zip((input.real, input.imag), (src.real, src.imag))
    return paired(
        *(call("scatter_reduce", (to, dim, index, of, reduce), options) for to, of in parts)
    )


RULES = {
    **{name: _of_real_parts(name) for name in _SHARES},
    **{name: _of_one_or_none(name) for name in ("cummax", "cummin", "kthvalue", "mode")},
    **{
        name: globals()[name]
        for name in """addbmm addmm addmv addr baddbmm dist isclose l1_loss logaddexp
        logcumsumexp logspace logsumexp multi_dot normalize pairwise_distance prod rms_norm scatter
        scatter_reduce vecdot""".split()
    },
    "chain_matmul": lambda *matrices: multi_dot(matrices),
}

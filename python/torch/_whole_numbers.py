"""Functions of torch that read their operands' numbers: divisors, histograms, places put."""

import collections
from functools import partial
import math

from ._call import call, composite
from ._dtypes import bool as bool_
from ._dtypes import float64, int32
from ._functions import broadcast_tensors, result_type, refuse_numbers

FUNCTIONS = ["frexp", "gcd", "gcd_", "histogram", "kaiser_window", "lcm", "lcm_"]
METHODS = ["frexp", "gcd", "gcd_", "histogram", "lcm", "lcm_"]

_Histogram = collections.namedtuple("histogram", "hist bin_edges")
_Parts = collections.namedtuple("frexp", "mantissa exponent")


def _of_pairs(name, function):
    """A call on whole numbers, and its form in place."""

    def found(input, other):
        refuse_numbers(name, input=input, other=other)
        dtype = result_type(input, other)
        if dtype.is_floating_point or dtype.is_complex or dtype is bool_:
            raise RuntimeError(f"\"{name}_cpu\" not implemented for '{dtype}'")
        a, b = broadcast_tensors(input.to(dtype), other.to(dtype))
        pairs = zip(a.reshape(-1).tolist(), b.reshape(-1).tolist())
        numbers = [function(x, y, partial(_wrapped, dtype)) for x, y in pairs]
        laid = call("bitwise_or", (input, other), {})
        return laid.copy_(laid.new_tensor(numbers).reshape(a.shape))

    @composite(name)
    def plain(input, other):
        return found(input, other)

    @composite(name + "_")
    def in_place(input, other):
        return input.copy_(found(input, other))

    plain.__name__, in_place.__name__ = name, name + "_"
    return plain, in_place


def _wrapped(dtype, number):
    """The number of an integer type that has the same low bits."""
    if not dtype.is_signed:
        return number % 2 ** (8 * dtype.itemsize)
    half = 2 ** (8 * dtype.itemsize - 1)
    return (number + half) % (2 * half) - half


def _divisor(x, y, wrapped):
    """Euclid's, with remainders of the dividend's sign: the least number has no absolute value."""
    x, y = wrapped(abs(x)), wrapped(abs(y))
    while x:
        x, y = (abs(y) % abs(x)) * (-1 if y < 0 else 1), x
    return y


def _multiple(x, y, wrapped):
    divisor = _divisor(x, y, wrapped)
    if divisor == 0:
        return 0
    quotient = abs(x) // abs(divisor) * (1 if (x < 0) == (divisor < 0) else -1)
    return wrapped(abs(wrapped(quotient * y)))


gcd, gcd_ = _of_pairs("gcd", _divisor)
lcm, lcm_ = _of_pairs("lcm", _multiple)


@composite("histogram")
def histogram(input, bins=100, *, range=None, weight=None, density=False):
    """How many elements, or what weights, lie between neighbouring edges; the last edge is within."""
    flat = input.reshape(-1)
    edges = _edges(flat, bins, range)
    if weight is None:
        weight = flat.new_ones(flat.shape)
    elif weight.shape != input.shape:
        raise RuntimeError(
            "histogramdd(): if weight tensor is provided it should have the same shape as the input "
            "tensor excluding its innermost dimension"
        )
    count = edges.shape[0] - 1
    place = call("bucketize", (flat.detach(), edges), {"right": True}) - 1
    place = place.masked_fill(flat == edges[-1], count - 1)
    is_within = (flat >= edges[0]) & (flat <= edges[-1])
    counted = weight.detach().reshape(-1) * is_within
    found = flat.new_zeros(count).scatter_add(0, place.clamp(0, count - 1), counted)
    if density:
        found = found / found.sum() / edges.diff()
    sources = [input, edges, weight]
    message = "derivative for aten::histogram is not implemented"
    return _Histogram(
        *(call("refusing_backward", (one, message, sources), {}) for one in (found, edges))
    )


def _edges(flat, bins, range):
    if not isinstance(bins, int):
        return bins
    if range is not None:
        low, high = range
    elif flat.numel():
        low, high = float(flat.min()), float(flat.max())
    else:
        low, high = 0.0, 0.0
    if low > high:
        raise RuntimeError("torch.histogramdd(): max must be larger than min")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return call("linspace", (low, high, bins + 1), {"dtype": flat.dtype})


@composite("frexp")
def frexp(input):
    """Mantissas in [0.5, 1) and the powers of two that they are to be multiplied by."""
    if not input.is_floating_point():
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    parts = [
        math.frexp(x) if math.isfinite(x) else (x, 0) for x in input.detach().reshape(-1).tolist()
    ]
    exponents = call("zeros", ((),), {"dtype": int32}).new_tensor([e for _, e in parts])
    exponents = exponents.reshape(input.shape).clone()
    # In two steps: the power of two that makes a denormal a mantissa is beyond the largest number.
    half = exponents // 2
    given = input.detach()
    mantissas = call("ldexp", (call("ldexp", (given, -half), {}), half - exponents), {})
    # PyTorch divides by a power of two in single precision, whatever the type.
    powers = exponents.double().exp2().float()
    powers = powers.double() if input.dtype is float64 else powers
    mantissas = call("sloped", (mantissas, [input], [powers], True), {})
    return _Parts(call("keeping", (mantissas, [exponents]), {}), exponents)


@composite("kaiser_window")
def kaiser_window(window_length, periodic=True, beta=12.0, *, dtype=None, device=None, **options):
    """I₀(β √(1 − (2n/N − 1)²)) / I₀(β)"""
    if window_length < 0:
        raise RuntimeError(
            "kaiser_window requires non-negative window_length, got window_length="
            + str(window_length)
        )
    if window_length <= 1:
        return call("ones", (window_length,), {"dtype": dtype})
    count = window_length + 1 if periodic else window_length
    steps = call("arange", (count,), {"dtype": dtype} if dtype else {})
    place = (steps if dtype else steps.to(call("ones", (1,), {}).dtype)) * (2.0 / (count - 1)) - 1
    made = call("i0", ((1 - place * place).clamp(min=0).sqrt() * beta,), {})
    window = made / call("i0", (made.new_tensor(float(beta)),), {})
    return window[:window_length]


def expose(namespace, tensor_class):
    """Adds them to torch's names and to the methods of Tensor."""
    for name in FUNCTIONS:
        namespace.setdefault(name, globals()[name])
    for name in METHODS:
        setattr(tensor_class, name, globals()[name])

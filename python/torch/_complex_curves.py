"""Functions of one complex number, and their slopes."""

import math

from ._call import call
from .autograd.function import Function


def _curve(write, slope, keeps_result=False):
    """A function of one number; `slope(z, y)` is its derivative, of y alone if `keeps_result`."""

    class Curve(Function):
        @staticmethod
        def forward(ctx, z):
            ctx.result = write(z)
            ctx.save_for_backward(ctx.result if keeps_result else z)
            return ctx.result

        @staticmethod
        def backward(ctx, d):
            (kept,) = ctx.saved_tensors
            return d * slope(None if keeps_result else kept, ctx.result).conj()

    return lambda input: Curve.apply(input)


def paired(re, im):
    return call("complex", (re, im), {})


def _turned(z):
    """i z"""
    return paired(-z.imag, z.real)


def _turned_back(z):
    """−i z"""
    return paired(z.imag, -z.real)


def log1p_of(z):
    x, y = z.real, z.imag
    return paired(call("log1p", (x * (x + 2) + y * y,), {}) / 2, call("atan2", (y, x + 1), {}))


def _expm1(z):
    x, y = z.real, z.imag
    half = (y / 2).sin()
    re = call("expm1", (x,), {}) * y.cos() - 2 * half * half
    return paired(re, x.exp() * y.sin())


def _asinh(z):
    """Of numbers on the right; the others are mirrored, so that nothing cancels."""
    is_left = z.real < 0
    right = call("where", (is_left, -z, z), {})
    square = right * right
    made = log1p_of(right + square / (1 + (square + 1).sqrt()))
    return call("where", (is_left, -made, made), {})


def _like(made, re, im):
    """`made` with parts of the signs of `re` and `im`: zeros have the side of a cut that PyTorch takes."""
    return paired(*(call("copysign", pair, {}) for pair in ((made.real, re), (made.imag, im))))


def _acosh(z):
    return _like((z + (z + 1).sqrt() * (z - 1).sqrt()).log(), z.imag * 0 + 1, z.imag)


def _atanh(z):
    right, left = log1p_of(z), log1p_of(-z)
    return paired((right.real - left.real) / 2, (right.imag - left.imag) / 2)


def _sinc(z):
    turn = z * math.pi
    is_zero = turn == 0
    safe = turn.masked_fill(is_zero, 1)
    return (safe.sin() / safe).masked_fill(is_zero, 1)


def _sinc_slope(z, _y):
    turn = z * math.pi
    square = z * turn
    is_zero = square == 0
    made = (turn * turn.cos() - turn.sin()) / square.masked_fill(is_zero, 1)
    return made.masked_fill(is_zero, 0)


def _arc_slope(z, _y):
    return (1 - z * z).rsqrt()


def _asin(z):
    return _like(_turned_back(_asinh(_turned(z))), z.real, z.imag)


acos = _curve(lambda z: math.pi / 2 - _asin(z), lambda z, y: -_arc_slope(z, y))
acosh = _curve(_acosh, lambda z, _: (z + 1).rsqrt() * (z - 1).rsqrt())
asin = _curve(_asin, _arc_slope)
asinh = _curve(lambda z: _like(_asinh(z), z.real, z.imag), lambda z, _: (z * z + 1).rsqrt())
atan = _curve(
    lambda z: _like(_turned_back(_atanh(_turned(z))), z.real, z.imag), lambda z, _: 1 / (z * z + 1)
)
atanh = _curve(lambda z: _like(_atanh(z), z.real, z.imag), lambda z, _: 1 / (1 - z * z))
exp2 = _curve(lambda z: (z * math.log(2)).exp(), lambda _, y: y * math.log(2), True)
expm1 = _curve(_expm1, lambda _, y: y + 1, True)
log1p = _curve(log1p_of, lambda z, _: 1 / (z + 1))
sinc = _curve(_sinc, _sinc_slope)


def silu(input, inplace=False):
    return input * input.sigmoid()


def softsign(input):
    return input / (input.abs() + 1)


def tanhshrink(input):
    return input - input.tanh()


RULES = {
    **{
        name: globals()[name]
        for name in """acos acosh asin asinh atan atanh exp2 expm1 log1p silu sinc softsign
        tanhshrink""".split()
    },
    "arccos": acos,
    "arccosh": acosh,
    "arcsin": asin,
    "arcsinh": asinh,
    "arctan": atan,
    "arctanh": atanh,
    "special.exp2": exp2,
    "special.expm1": expm1,
    "special.log1p": log1p,
}

"""Functions of elements, and the operators of arrays that they are."""

import builtins
import math
import operator

from torch._tensor import Tensor

from . import _types
from ._array import _scalar_or_array, array, asarray, host, ndarray
from ._types import dtype as make_dtype
from ._types import generic


def _is_number(value):
    return isinstance(value, (builtins.bool, int, float, complex))


def _operand_type(value, other):
    """The type of `other` together with `value`."""
    if isinstance(value, ndarray):
        return _types.promote(other, value.dtype)
    if isinstance(value, generic):
        return _types.promote(other, value.dtype)
    return _types.with_python_number(other, value)


def _common(a, b):
    """Both as operands of one element type, and that type."""
    if not isinstance(a, ndarray) and not _is_number(a):
        a = array(a)
    if not isinstance(b, ndarray) and not _is_number(b):
        b = array(b)
    if isinstance(a, ndarray):
        wanted = _operand_type(b, a.dtype)
    elif isinstance(b, ndarray):
        wanted = _operand_type(a, b.dtype)
    else:
        a = array(a)
        wanted = _operand_type(b, a.dtype)
    return a, b, wanted


def _as_operand(value, wanted):
    return value.astype(wanted, copy=False)._tensor if isinstance(value, ndarray) else value


def _finished(tensor, given):
    """A scalar where only scalars were given."""
    return (
        ndarray(tensor)
        if any(isinstance(x, ndarray) and x.ndim for x in given)
        else (_scalar_or_array(tensor))
    )


# What gives single numbers faster than the host does; where it raises, the host decides.
_SINGLE = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "pow": operator.pow,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "maximum": builtins.max,
    "minimum": builtins.min,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "tanh": math.tanh,
}
_SINGLE_TYPES = {int, float, _types.float64, _types.int64}


def _single(key, *numbers):
    """The function of Python's numbers and numpy's of 64 bits; None where the host must decide."""
    function = _SINGLE.get(key)
    if function is None or not all(type(number) in _SINGLE_TYPES for number in numbers):
        return None
    if key == "pow" and numbers[1] < 0 and all(isinstance(number, int) for number in numbers):
        return None
    try:
        made = function(*numbers)
    except (ValueError, ArithmeticError):
        return None
    if isinstance(made, complex):
        return None
    return _types.float64(made) if isinstance(made, float) else _types.int64(made)


def binary(key, result=None):
    """`result`: "float" where integers give floats, "bool" for comparisons."""

    def function(x1, x2, /, out=None, *, where=True, dtype=None):
        single = None if dtype is not None else _single(key, x1, x2)
        if single is not None:
            return single
        a, b, wanted = _common(x1, x2)
        if result == "float" and wanted.kind in "biu":
            wanted = make_dtype("float64")
        if dtype is not None:
            wanted = make_dtype(dtype)
        left, right = _as_operand(a, wanted), _as_operand(b, wanted)
        if not isinstance(left, Tensor):
            left = array(left, dtype=wanted)._tensor
        if key in _OF_TENSORS and not isinstance(right, Tensor):
            right = array(right, dtype=wanted)._tensor
        made = _finished(host(key, left, right), (a, b))
        return _into(out, made)

    return ufunc(function)


# Calls of the host that take no number for their second tensor.
_OF_TENSORS = frozenset(
    "maximum minimum fmax fmin atan2 hypot logaddexp copysign heaviside ldexp nextafter".split()
)


class ufunc:
    """A function of two arrays, and what comes of using it again and again."""

    def __init__(self, function):
        self._function = function

    def __call__(self, *args, **options):
        return self._function(*args, **options)

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False):
        a = asarray(array, dtype=dtype)
        for one in range(a.ndim - 1, -1, -1) if axis is None else [axis % a.ndim]:
            rows = _rows(a, one)
            made = rows[0]
            for row in rows[1:]:
                made = self(made, row)
            a = asarray(made)
            a = a.reshape(*a.shape[:one], 1, *a.shape[one:]) if keepdims else a
        return a if a.ndim else a[()]

    def accumulate(self, array, axis=0, dtype=None, out=None):
        from ._shapes import stack

        rows = _rows(asarray(array, dtype=dtype), axis)
        made = rows[:1]
        for row in rows[1:]:
            made.append(self(made[-1], row))
        return stack(made, axis)

    def outer(self, a, b, **options):
        a, b = asarray(a), asarray(b)
        return self(a.reshape(*a.shape, *(1,) * b.ndim), b)

    def at(self, a, indices, b):
        """One after the other, where places come several times."""
        values = asarray(b)
        for number, place in enumerate(asarray(indices).tolist()):
            a[place] = self(a[place], values[number] if values.ndim else values)


def _rows(a, axis):
    from ._shapes import moveaxis

    return [*moveaxis(a, axis, 0)]


def _into(out, made):
    if out is None:
        return made
    out[...] = made
    return out


def unary(key, to_float=True):
    def function(x, /, out=None, *, where=True, dtype=None):
        single = None if dtype is not None else _single(key, x)
        if single is not None:
            return single
        given = asarray(x, dtype=dtype)
        if to_float and given.dtype.kind in "biu":
            given = given.astype("float64")
        return _into(out, _finished(host(key, given._tensor), (given,)))

    return function


add, subtract, multiply = binary("add"), binary("sub"), binary("mul")
divide = true_divide = binary("div", "float")
floor_divide, remainder, power = binary("floor_divide"), binary("remainder"), binary("pow")
mod, pow = remainder, power  # noqa: A001
fmod = binary("fmod")
maximum, minimum = binary("maximum"), binary("minimum")
fmax, fmin = binary("fmax"), binary("fmin")
arctan2, hypot, logaddexp = (
    binary("atan2", "float"),
    binary("hypot", "float"),
    binary("logaddexp", "float"),
)
float_power = binary("pow", "float")
equal, not_equal, less = binary("eq"), binary("ne"), binary("lt")
less_equal, greater, greater_equal = binary("le"), binary("gt"), binary("ge")
logical_and, logical_or, logical_xor = (
    binary("logical_and"),
    binary("logical_or"),
    binary("logical_xor"),
)
bitwise_and, bitwise_or, bitwise_xor = (
    binary("bitwise_and"),
    binary("bitwise_or"),
    binary("bitwise_xor"),
)
left_shift, right_shift = binary("bitwise_left_shift"), binary("bitwise_right_shift")

heaviside, copysign = binary("heaviside", "float"), binary("copysign", "float")
ldexp, nextafter = binary("ldexp", "float"), binary("nextafter", "float")


def _whole(function):
    """Of integers that Python reads: the host has no call for them."""

    def pairwise(x1, x2):
        from ._shapes import broadcast_arrays

        a, b = broadcast_arrays(x1, x2)
        pairs = zip(a.ravel().tolist(), b.ravel().tolist())
        made = array([function(*pair) for pair in pairs], dtype=_types.promote(a.dtype, b.dtype))
        return made.reshape(*a.shape) if a.ndim else made.ravel()[0]

    return ufunc(pairwise)


gcd, lcm = _whole(math.gcd), _whole(math.lcm)

sqrt, exp, expm1, log, log1p = (
    unary("sqrt"),
    unary("exp"),
    unary("expm1"),
    unary("log"),
    unary("log1p"),
)
log2, log10, exp2 = unary("log2"), unary("log10"), unary("exp2")
sin, cos, tan, arcsin, arccos, arctan = (
    unary(k) for k in ("sin", "cos", "tan", "asin", "acos", "atan")
)
sinh, cosh, tanh = unary("sinh"), unary("cosh"), unary("tanh")
arcsinh, arccosh, arctanh = unary("asinh"), unary("acosh"), unary("atanh")
floor, ceil, trunc, rint = unary("floor"), unary("ceil"), unary("trunc"), unary("round")
deg2rad = radians = unary("deg2rad")
rad2deg = degrees = unary("rad2deg")
abs = absolute = fabs = unary("abs", False)  # noqa: A001
negative, sign, square = unary("neg", False), unary("sign", False), unary("square", False)
positive = unary("clone", False)
reciprocal = unary("reciprocal")
isnan, isinf, isfinite = unary("isnan"), unary("isinf"), unary("isfinite")
logical_not, invert = unary("logical_not", False), unary("bitwise_not", False)
bitwise_not = invert
conj = conjugate = unary("conj", False)
angle = unary("angle")
sinc, i0, signbit, fix = unary("sinc"), unary("i0"), unary("signbit", False), unary("trunc")


def cbrt(x, /):
    x = asarray(x)
    return sign(x) * power(abs(x).astype("float64"), 1 / 3)


def real(val):
    return asarray(val).real


def imag(val):
    return asarray(val).imag


def unwrap(p, discont=None, axis=-1, *, period=6.283185307179586):
    """Steps beyond half a period become the shorter ones."""
    from ._functions import cumsum, diff
    from ._shapes import concatenate, moveaxis

    rows = moveaxis(asarray(p).astype("float64"), axis, -1)
    steps = diff(rows, axis=-1)
    half = period / 2
    short = remainder(steps + half, period) - half
    short = short + period * ((short == -half) & (steps > 0)).astype("float64")
    shift = (short - steps) * (abs(steps) >= (half if discont is None else discont))
    turned = concatenate([rows[..., :1], rows[..., 1:] + cumsum(shift, -1)], -1)
    return moveaxis(turned, -1, axis)


def _operator(function, reflected=False):
    def method(self, other):
        if isinstance(other, Tensor):
            return NotImplemented
        return function(other, self) if reflected else function(self, other)

    return method


_CONCATENATION = (
    "Concatenation operation is not implemented for NumPy arrays, use np.concatenate() instead. "
    "Please do not rely on this error; it may not be given on all Python implementations."
)
_SIGNS = {"sub": "-=", "mul": "*=", "floordiv": "//=", "mod": "%=", "pow": "**=", "matmul": "@="}


def _in_place(name, function):
    def method(self, other):
        if isinstance(other, Tensor):
            if name != "truediv":
                raise TypeError(_refusal(name, other))
            other = other.numpy()
        self[...] = function(self, other)
        return self

    return method


def _refusal(name, other):
    if name == "add":
        return _CONCATENATION
    sign = _SIGNS.get(name, name)
    return f"unsupported operand type(s) for {sign}: 'numpy.ndarray' and '{type(other).__name__}'"


def _matmul(a, b):
    from ._functions import matmul

    return matmul(a, b)


_ARITHMETIC = {
    "add": add,
    "sub": subtract,
    "mul": multiply,
    "truediv": divide,
    "floordiv": floor_divide,
    "mod": remainder,
    "pow": power,
    "and": bitwise_and,
    "or": bitwise_or,
    "xor": bitwise_xor,
    "lshift": left_shift,
    "rshift": right_shift,
    "matmul": _matmul,
}
_COMPARED = {
    "eq": equal,
    "ne": not_equal,
    "lt": less,
    "le": less_equal,
    "gt": greater,
    "ge": greater_equal,
}
for _name, _function in _ARITHMETIC.items():
    setattr(ndarray, f"__{_name}__", _operator(_function))
    setattr(ndarray, f"__r{_name}__", _operator(_function, reflected=True))
    setattr(ndarray, f"__i{_name}__", _in_place(_name, _function))
for _name, _function in _COMPARED.items():
    setattr(ndarray, f"__{_name}__", _operator(_function))
ndarray.__neg__ = lambda self: negative(self)
ndarray.__pos__ = lambda self: positive(self)
ndarray.__abs__ = lambda self: abs(self)
ndarray.__invert__ = lambda self: invert(self)
ndarray.conj = ndarray.conjugate = lambda self: conj(self)

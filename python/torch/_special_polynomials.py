"""Orthogonal polynomials of torch.special, by their recurrences; no gradient comes through them."""

from ._call import call, composite
from ._dtypes import cpp_name, float32, float64
from ._factories import get_default_dtype, tensor
from ._functions import broadcast_tensors, result_type
from ._grad_mode import no_grad
from ._host import UnsupportedCall
from ._tensor import Tensor

# The steps of a recurrence are parts of the graph.
_LARGEST_DEGREE = 600


class _Kind:
    """What tells one family from another; `x` is the argument, its degree an integer."""

    # From here on PyTorch has no numbers.
    limits = {float32: _LARGEST_DEGREE, float64: _LARGEST_DEGREE}

    def argument(self, x):
        return x

    def first(self, x):
        return x

    def next(self, k, x, now, before):
        """The polynomial of degree k + 1 of those of degrees k and k − 1."""
        raise NotImplementedError

    def corrected(self, value, x, degrees):
        return value


class _Legendre(_Kind):
    def next(self, k, x, now, before):
        return ((2 * k + 1) * x * now - k * before) / (k + 1)


class _Laguerre(_Kind):
    def first(self, x):
        return 1 - x

    def next(self, k, x, now, before):
        return ((2 * k + (1 - x)) * now - k * before) / (k + 1)


class _Hermite(_Kind):
    limits = {float32: 128, float64: 512}

    def __init__(self, factor):
        self.factor = factor

    def first(self, x):
        return self.factor * x

    def next(self, k, x, now, before):
        return self.factor * x * now - self.factor * k * before


class _Chebyshev(_Kind):
    def __init__(self, letter, is_shifted):
        self.letter = letter
        self.is_shifted = is_shifted
        self.angles_above = {"t": 6, "w": 4 if is_shifted else 8}.get(
            letter, 6 if is_shifted else 8
        )

    def argument(self, x):
        return x + x - 1 if self.is_shifted else x

    def first(self, x):
        return {"t": x, "u": x + x, "v": x + x - 1, "w": x + x + 1}[self.letter]

    def next(self, k, x, now, before):
        return (x + x) * now - before

    def corrected(self, value, x, degrees):
        """Of angles where PyTorch uses them: in single precision they have its rounding."""
        if value.dtype != float32 or int(degrees.max()) <= self.angles_above:
            return value
        is_inside = (degrees > self.angles_above) & (x.abs() < 1)
        return call("where", (is_inside, self._of_angle(x.acos(), degrees), value), {})

    def _of_angle(self, angle, n):
        if self.letter == "t":
            return (n * angle).cos()
        if self.letter == "u":
            return ((n + 1) * angle).sin() / angle.sin()
        (half, odd) = angle / 2, 2 * n + 1
        sign = 1 - 2 * (n % 2)
        if self.letter == "v":
            ratio, end = ((n + 0.5) * angle).cos() / half.cos(), odd * sign
            return call("where", (half.sin() == 1, end, ratio), {})
        ratio = ((n + 0.5) * angle).sin() / half.sin()
        return call("where", (half.cos() == 1, sign if self.is_shifted else odd, ratio), {})


_KINDS = {
    "hermite_polynomial_h": _Hermite(2),
    "hermite_polynomial_he": _Hermite(1),
    "laguerre_polynomial_l": _Laguerre(),
    "legendre_polynomial_p": _Legendre(),
    **{f"chebyshev_polynomial_{one}": _Chebyshev(one, False) for one in "tuvw"},
    **{f"shifted_chebyshev_polynomial_{one}": _Chebyshev(one, True) for one in "tuvw"},
}


def _operands(name, x, n):
    """Both as floats of one type and shape."""
    if not isinstance(x, Tensor) and not isinstance(n, Tensor):
        raise TypeError(
            f"special_{name}() received an invalid combination of arguments - got "
            f"({type(x).__name__}, {type(n).__name__}), but expected one of:\n"
            " * (Tensor x, Tensor n, *, Tensor out = None)\n"
            " * (Number x, Tensor n, *, Tensor out = None)\n"
            " * (Tensor x, Number n, *, Tensor out = None)\n"
        )
    dtype = result_type(x, n)
    if not (dtype.is_floating_point or dtype.is_complex):
        dtype = get_default_dtype()
    if dtype not in (float32, float64):
        raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{cpp_name(dtype)}'")
    both = [
        one.to(dtype) if isinstance(one, Tensor) else tensor(one, dtype=dtype) for one in (x, n)
    ]
    return broadcast_tensors(*both)


def _whole(degree):
    """As C++ casts it to an integer: what is none becomes the least."""
    return int(degree) if abs(degree) < 2**63 else -1


def _polynomial(kind, x, degrees):
    """`degrees`: whole numbers of the shape of `x`, −1 for all below 0."""
    held = set(map(int, degrees.reshape(-1).tolist()))
    largest = max(held, default=0)
    limit = kind.limits[x.dtype]
    if largest > limit == _LARGEST_DEGREE:
        raise UnsupportedCall(f"a polynomial of degree {largest} is not supported")
    value = call("zeros_like", (x,), {})
    x = kind.argument(x)
    before, now = call("ones_like", (x,), {}), kind.first(x)
    for k in range(min(largest, limit) + 1):
        if k in held:
            value = call("where", (degrees == k, before, value), {})
        before, now = now, kind.next(k + 1, x, now, before)
    if largest > limit:
        value = value.masked_fill(degrees > limit, float("nan"))
    return kind.corrected(value, x, degrees) if held else value


def _made(name, kind):
    @composite(name)
    def polynomial(x, n):
        with no_grad():
            x, n = _operands(name, x, n)
            whole = [max(_whole(one), -1) for one in n.reshape(-1).tolist()]
            return _polynomial(kind, x, n.new_tensor(whole).reshape(n.shape))

    polynomial.__name__ = polynomial.__qualname__ = name
    return polynomial


POLYNOMIALS = {name: _made(name, kind) for name, kind in _KINDS.items()}

"""Polynomials by their coefficients, the highest power first."""

from ._array import array, asarray
from ._shapes import concatenate, stack


def polyval(p, x):
    x = asarray(x)
    made = x * 0
    for coefficient in _coefficients(p):
        made = made * x + coefficient
    return made


def _coefficients(p):
    return asarray(p.coeffs if isinstance(p, poly1d) else p).tolist()


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """The least squares of the values `y` at `x`; columns are scaled to one length first."""
    from .linalg import lstsq, norm

    table = vander(asarray(x, dtype="float64"), deg + 1)
    values = asarray(y, dtype="float64")
    if w is not None:
        weights = asarray(w, dtype="float64").reshape(-1, 1)
        table = table * weights
        values = values * (weights if values.ndim > 1 else weights.ravel())
    lengths = norm(table, axis=0)
    found = lstsq(table / lengths, values)[0]
    return found / (lengths.reshape(-1, 1) if values.ndim > 1 else lengths)


def vander(x, N=None, increasing=False):  # noqa: N803
    x = asarray(x)
    count = len(x) if N is None else N
    powers = range(count) if increasing else range(count - 1, -1, -1)
    return stack([x**k for k in powers], axis=1)


def polyder(p, m=1):
    numbers = _coefficients(p)
    for _ in range(m):
        degree = len(numbers) - 1
        numbers = [c * (degree - at) for at, c in enumerate(numbers[:-1])]
    return array(numbers)


def polyint(p, m=1, k=0):
    numbers = _coefficients(p)
    for _ in range(m):
        degree = len(numbers)
        numbers = [c / (degree - at) for at, c in enumerate(numbers)] + [k]
    return array(numbers)


def polyadd(a1, a2):
    first, second = (asarray(_coefficients(a)) for a in (a1, a2))
    size = max(len(first), len(second))
    padded = [
        concatenate([array([0] * (size - len(a)), dtype=a.dtype), a]) for a in (first, second)
    ]
    return padded[0] + padded[1]


def polymul(a1, a2):
    from ._signals import convolve

    return convolve(_coefficients(a1), _coefficients(a2))


class poly1d:
    def __init__(self, c_or_r, r=False, variable=None):
        self.coeffs = array(c_or_r)

    c = property(lambda self: self.coeffs)

    @property
    def order(self):
        return len(self.coeffs) - 1

    def __call__(self, x):
        return polyval(self.coeffs, x)

    def __len__(self):
        return self.order

    def __getitem__(self, power):
        return self.coeffs[self.order - power] if 0 <= power <= self.order else 0

    def __add__(self, other):
        return poly1d(polyadd(self, other if isinstance(other, poly1d) else [other]))

    def __mul__(self, other):
        return poly1d(polymul(self, other if isinstance(other, poly1d) else [other]))

    __radd__, __rmul__ = __add__, __mul__

    def deriv(self, m=1):
        return poly1d(polyder(self, m))

    def integ(self, m=1, k=0):
        return poly1d(polyint(self, m, k))

"""Factors of complex matrices whose numbers are known: lists of rows of Python's numbers."""

import cmath
import math

from ._call import call
from ._dtypes import int32
from ._factories import tensor as _tensor


def matrices(A):
    """The matrices on the last two axes, in order."""
    rows, columns = A.shape[-2:]
    count = math.prod(A.shape[:-2])
    flat = A.detach().reshape(count, rows, columns)
    parts = zip(flat.real.tolist(), flat.imag.tolist())
    return [[[complex(*z) for z in zip(*row)] for row in zip(re, im)] for re, im in parts]


def tensor(held, shape, like):
    """Numbers, however deep in lists, in the type of `like`."""
    flat = list(_flat(held))
    dtype = like.dtype.to_real()
    parts = ([z.real for z in flat], [z.imag for z in flat])
    re, im = (_tensor(part, dtype=dtype) for part in parts)
    return call("complex", (re, im), {}).reshape(shape)


def by_columns(held, shape, like):
    """Matrices as LAPACK lays them."""
    columns = [[list(column) for column in zip(*rows)] for rows in held]
    return tensor(columns, (*shape[:-2], shape[-1], shape[-2]), like).mT


def integers(held, shape):
    return _tensor(held, dtype=int32).reshape(shape).clone()


def _flat(held):
    if isinstance(held, list):
        for item in held:
            yield from _flat(item)
    else:
        yield held


def lu(a, pivot=True):
    """(L and U in one, the row that each row was exchanged with), LAPACK's choice of pivots."""
    rows = [row[:] for row in a]
    columns = len(rows[0]) if rows else 0
    exchanged = []
    for k in range(min(len(rows), columns)):
        best = max(range(k, len(rows)), key=lambda i: _size(rows[i][k])) if pivot else k
        exchanged.append(best)
        rows[k], rows[best] = rows[best], rows[k]
        if rows[k][k] == 0:
            continue
        for row in rows[k + 1 :]:
            row[k] /= rows[k][k]
            for j in range(k + 1, columns):
                row[j] -= row[k] * rows[k][j]
    return rows, exchanged


def _size(z):
    return abs(z.real) + abs(z.imag)


def determinant(rows, exchanged):
    made = complex(-1) ** sum(i != at for i, at in enumerate(exchanged))
    for i, row in enumerate(rows):
        made *= row[i]
    return made


def log_determinant(rows, exchanged):
    """ln |A| + iθ with θ in (−π, π]; −∞ of what is singular."""
    turns = sum(i != at for i, at in enumerate(exchanged)) % 2
    size, angle = 0.0, math.pi * turns
    for i, row in enumerate(rows):
        if row[i] == 0:
            return complex(-math.inf, 0)
        size += math.log(abs(row[i]))
        angle += cmath.phase(row[i])
    return complex(size, math.remainder(angle, 2 * math.pi))


def inverse(rows, exchanged, least):
    """A⁻¹ by its factors, with `least` for pivots that are 0."""
    count = len(rows)
    columns = []
    for j in range(count):
        x = [complex(i == j) for i in range(count)]
        for i, at in enumerate(exchanged):
            x[i], x[at] = x[at], x[i]
        for i in range(count):
            x[i] -= sum(rows[i][k] * x[k] for k in range(i))
        for i in reversed(range(count)):
            x[i] -= sum(rows[i][k] * x[k] for k in range(i + 1, count))
            x[i] /= rows[i][i] or least
        columns.append(x)
    return [list(row) for row in zip(*columns)]


def cholesky(a):
    """(L, the order of the first leading minor that is not positive-definite or 0)."""
    count = len(a)
    low = [[0j] * count for _ in range(count)]
    for j in range(count):
        left = a[j][j].real - sum(abs(z) ** 2 for z in low[j][:j])
        if not left > 0:
            return low, j + 1
        low[j][j] = complex(math.sqrt(left))
        for i in range(j + 1, count):
            rest = a[i][j] - sum(low[i][k] * low[j][k].conjugate() for k in range(j))
            low[i][j] = rest / low[j][j]
    return low, 0

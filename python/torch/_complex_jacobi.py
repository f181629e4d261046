"""Orthonormal factors of complex matrices, lists of rows of Python's numbers, with LAPACK's phases."""

import math

_EPSILON = 2**-52
_SWEEPS = 60


def _inner(x, y):
    """xᴴ y"""
    return sum(a.conjugate() * b for a, b in zip(x, y))


def _size(x):
    return math.hypot(*(part for z in x for part in (z.real, z.imag)))


def turned(rows):
    """The conjugate transpose of a matrix with elements."""
    return [[z.conjugate() for z in column] for column in zip(*rows)]


def qr(a, columns, count):
    """Q of `count` columns and R with a real diagonal, by reflections; `columns` of `a`."""
    size = len(a)
    r = [row[:] for row in a]
    q = [[complex(i == j) for j in range(size)] for i in range(size)]
    for k in range(min(size, columns)):
        x = [row[k] for row in r[k:]]
        if all(z == 0 for z in x[1:]) and x[0].imag == 0:
            continue
        top = -math.copysign(_size(x), x[0].real)
        factor = (top - x[0].conjugate()) / top
        x = [1, *(z / (x[0] - top) for z in x[1:])]
        for rows in (r, q):
            _reflect(rows[k:], x, factor)
    r = [[z if i <= j else 0j for j, z in enumerate(row)] for i, row in enumerate(r[:count])]
    return turned(q[:count]), r


def _reflect(rows, x, factor):
    """(1 − factor · x xᴴ) times the rows."""
    for j in range(len(rows[0])):
        share = factor * _inner(x, [row[j] for row in rows])
        for row, z in zip(rows, x):
            row[j] -= z * share


def svd(a, columns):
    """(U, values, V) of the shorter side's number, U and V as lists of columns."""
    if len(a) < columns:
        v, values, u = svd(turned(a), len(a))
        return u, values, v
    u = [list(column) for column in zip(*a)]
    v = [[complex(i == j) for i in range(columns)] for j in range(columns)]
    for _ in range(_SWEEPS):
        if not _sweep(u, v):
            break
    sizes = [_size(x) for x in u]
    order = sorted(range(columns), key=lambda j: -sizes[j])
    values = [sizes[j] for j in order]
    v = [v[j] for j in order]
    least = _EPSILON * max(values, default=0)
    u = [[z / sizes[j] for z in u[j]] for j in order if sizes[j] > least]
    u = completed(u, len(a), columns)
    for j, x in enumerate(v):
        phase = _phase(x[0])
        v[j] = [z * phase for z in x]
        u[j] = [z * phase for z in u[j]]
    return u, values, v


def _sweep(u, v):
    """Rotates each pair of columns of `u` until they are orthogonal, and `v` with it."""
    moved = False
    for p in range(len(u)):
        for q in range(p + 1, len(u)):
            x, y = u[p], u[q]
            lean = _inner(x, y)
            first, second = _size(x), _size(y)
            if abs(lean) <= 8 * _EPSILON * first * second:
                continue
            moved = True
            ratio = (second - first) * (second + first) / (2 * abs(lean))
            t = math.copysign(1, ratio) / (abs(ratio) + math.hypot(1, ratio))
            c = 1 / math.hypot(1, t)
            back = lean.conjugate() / abs(lean)
            for pair in (u, v):
                x, y = pair[p], [z * back for z in pair[q]]
                pair[p] = [c * (a - t * b) for a, b in zip(x, y)]
                pair[q] = [c * (t * a + b) for a, b in zip(x, y)]
    return moved


def _phase(z):
    """What turns z to the positive numbers."""
    return z.conjugate() / abs(z) if z else 1


def completed(columns, size, count):
    """Orthonormal columns, and others until they are `count`."""
    made = list(columns)
    while len(made) < count:
        rest = [
            _without(made, _without(made, [complex(i == j) for i in range(size)]))
            for j in range(size)
        ]
        longest = max(rest, key=_size)
        made.append([z / _size(longest) for z in longest])
    return made


def _without(columns, x):
    for column in columns:
        share = _inner(column, x)
        x = [a - share * b for a, b in zip(x, column)]
    return x


def eigh(a, upper):
    """(values in order, vectors as columns) of the Hermitian matrix of one triangle."""
    count = len(a)
    h = [[_of_triangle(a, i, j, upper) for j in range(count)] for i in range(count)]
    # Lifted to a positive semidefinite matrix, whose singular vectors these are.
    lift = max((sum(abs(z) for z in row) for row in h), default=0)
    for i in range(count):
        h[i][i] += lift
    vectors, values, _ = svd(h, count)
    real = -1 if upper else 0
    vectors = [[z * _phase(x[real]) for z in x] for x in reversed(vectors)]
    return [value - lift for value in reversed(values)], vectors


def _of_triangle(a, i, j, upper):
    if i == j:
        return complex(a[i][i].real)
    return a[i][j] if (i < j) == upper else a[j][i].conjugate()

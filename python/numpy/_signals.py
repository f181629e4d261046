"""Windows of signals, convolutions, counts of bins and values of polynomials."""

import math

from ._array import array, asarray
from ._creation import linspace


def _window(of_place, size):
    """`of_place` of n / (M − 1) for n = 1 − M, 3 − M, …, M − 1."""
    if size < 1:
        return array([], dtype=float)
    if size == 1:
        return array([1.0])
    return array([float(of_place(n / (size - 1))) for n in range(1 - size, size, 2)])


def hanning(M):
    return _window(lambda x: 0.5 + 0.5 * math.cos(math.pi * x), M)


def hamming(M):
    return _window(lambda x: 0.54 + 0.46 * math.cos(math.pi * x), M)


def blackman(M):
    return _window(
        lambda x: 0.42 + 0.5 * math.cos(math.pi * x) + 0.08 * math.cos(2.0 * math.pi * x), M
    )


def bartlett(M):
    return _window(lambda x: 1 + x if x <= 0 else 1 - x, M)


def convolve(a, v, mode="full"):
    """Σⱼ aⱼ vₖ₋ⱼ; "same" and "valid" are the middle of it."""
    first, second = asarray(a).tolist(), asarray(v).tolist()
    if not first or not second:
        raise ValueError(f"{'a' if not first else 'v'} cannot be empty")
    whole = [0] * (len(first) + len(second) - 1)
    for i, x in enumerate(first):
        for j, y in enumerate(second):
            whole[i + j] += x * y
    longer, shorter = max(len(first), len(second)), min(len(first), len(second))
    kept = {"full": len(whole), "same": longer, "valid": longer - shorter + 1}[mode]
    start = (len(whole) - kept) // 2
    return array(whole[start : start + kept])


def histogram(a, bins=10, range=None, density=None, weights=None):
    """(count of each bin, the bins' ends); the last bin has its end too."""
    numbers = asarray(a).reshape(-1).tolist()
    if isinstance(bins, int):
        low, high = range or (min(numbers, default=0.0), max(numbers, default=1.0))
        low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
        edges = linspace(low, high, bins + 1)
    else:
        edges = asarray(bins)
    ends = edges.tolist()
    of_each = [1] * len(numbers) if weights is None else asarray(weights).reshape(-1).tolist()
    counts = [0] * (len(ends) - 1)
    for x, weight in zip(numbers, of_each):
        if ends[0] <= x <= ends[-1]:
            at = sum(x >= end for end in ends[1:-1])
            counts[at] += weight
    if density:
        total = sum(counts)
        counts = [n / total / (ends[i + 1] - ends[i]) for i, n in enumerate(counts)]
    return array(counts), edges


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """(count of each cell, the ends along x, those along y)."""
    counts = bins if hasattr(bins, "__len__") else (bins, bins)
    ends = [
        histogram(a, n, None if range is None else range[at])[1]
        for at, (a, n) in enumerate(zip((x, y), counts))
    ]
    rows = [_bins(a, edges.tolist()) for a, edges in zip((x, y), ends)]
    table = [[0.0] * (len(ends[1]) - 1) for _ in ends[0].tolist()[1:]]
    of_each = [1.0] * len(rows[0]) if weights is None else asarray(weights).tolist()
    for row, column, weight in zip(*rows, of_each):
        if row is not None and column is not None:
            table[row][column] += weight
    return array(table), *ends


def _bins(a, ends):
    """The bin of each number; None outside of all."""
    return [
        sum(x >= end for end in ends[1:-1]) if ends[0] <= x <= ends[-1] else None
        for x in asarray(a).reshape(-1).tolist()
    ]


def correlate(a, v, mode="valid"):
    return convolve(a, asarray(v)[::-1], mode)


def kaiser(M, beta):
    def bessel(x):
        term = total = 1.0
        for k in range(1, 100):
            term *= (x / (2 * k)) ** 2
            total += term
        return total

    return _window(lambda x: bessel(beta * math.sqrt(1 - x * x)) / bessel(beta), M)

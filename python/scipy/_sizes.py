"""Sizes for which transforms are fast."""


def next_fast_len(target, real=False):
    """The least size of at least `target` whose factors are 2, 3, 5 (and 7 and 11 for complex transforms)."""
    primes = (2, 3, 5) if real else (2, 3, 5, 7, 11)
    size = max(int(target), 1)
    while not _is_product(size, primes):
        size += 1
    return size


def _is_product(size, primes):
    for prime in primes:
        while size % prime == 0:
            size //= prime
    return size == 1

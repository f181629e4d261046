"""One number as many, and numbers that a divisor divides."""


def to_ntuple(n):
    def to_tuple(x):
        return tuple(x) if hasattr(x, "__iter__") and not isinstance(x, str) else (x,) * n

    return to_tuple


to_1tuple, to_2tuple, to_3tuple, to_4tuple = (to_ntuple(n) for n in (1, 2, 3, 4))


def make_divisible(v, divisor=8, min_value=None, round_limit=0.9):
    """The multiple of `divisor` next to `v`, the next one up where it is below `round_limit` of it."""
    nearest = max(min_value or divisor, int(v + divisor / 2) // divisor * divisor)
    return nearest + divisor if nearest < round_limit * v else nearest

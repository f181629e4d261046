"""Random types, shapes and numbers of leaves."""

import torch

FLOATS = ["float32"] * 6 + ["float64"] * 2 + ["float16", "bfloat16"]
WHOLE = ["int64"] * 3 + ["int32", "int16", "int8", "uint8"]
TYPES = FLOATS * 2 + WHOLE + ["bool"] * 2 + ["complex64", "complex128"]

SPECIAL = ["nan", "inf", "-inf", -0.0, 0.0, 1e-40, -1e-40, 1e30, -1e30, 1.0, -1.0, 0.5]


def dtype_of(chance):
    return chance.choice(TYPES)


def shape_of(chance):
    """Mostly small, with scalars, ones and zeros among them."""
    rank = chance.choice([0, 1, 1, 2, 2, 2, 3, 3, 4])
    return [
        chance.choice([0, 1, 1, 2, 2, 3, 3, 3, 4, 5][0 if chance.random() < 0.3 else 1 :])
        for _ in range(rank)
    ]


def fitting_shape(chance, shape):
    """One that broadcasts with `shape`, most of the time."""
    if chance.random() < 0.1:
        return shape_of(chance)
    kept = list(shape)[chance.randint(0, len(shape)) if chance.random() < 0.3 else 0 :]
    return [1 if chance.random() < 0.2 else size for size in kept]


def count_of(shape):
    count = 1
    for size in shape:
        count *= size
    return count


def numbers(chance, dtype, count, special):
    if dtype.startswith("complex"):
        count *= 2
    if dtype == "bool":
        return [chance.random() < 0.5 for _ in range(count)]
    if dtype in WHOLE:
        low = 0 if dtype == "uint8" else -5
        if special and chance.random() < 0.5:
            info = torch.iinfo(getattr(torch, dtype))
            most = min(info.max, 2**20)
            return [chance.choice([0, 1, max(info.min, -most), most, 7, 63]) for _ in range(count)]
        return [chance.randint(low, 6) for _ in range(count)]
    style = chance.choice(["normal", "normal", "normal", "halves", "positive"])
    if special and chance.random() < 0.7:
        style = "special"
    return [real(chance, style) for _ in range(count)]


def real(chance, style):
    if style == "halves":
        return chance.randint(-4, 4) / 2
    if style == "positive":
        return round(abs(chance.gauss(0, 1)) + 0.1, 3)
    if style == "special" and chance.random() < 0.5:
        return chance.choice(SPECIAL)
    return round(chance.gauss(0, 1), 3)


def make_leaf(chance, dtype, shape, special):
    data = numbers(chance, dtype, count_of(shape), special)
    can = dtype not in WHOLE and dtype != "bool"
    return {
        "dtype": dtype,
        "shape": list(shape),
        "data": data,
        "grad": can and chance.random() < 0.7,
    }


def leaf_of(tensor, grad):
    """A leaf with the numbers of a tensor."""
    real = torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor
    data = [number(x) for x in real.detach().resolve_neg().reshape(-1).tolist()]
    can = tensor.is_floating_point() or tensor.is_complex()
    name = str(tensor.dtype).removeprefix("torch.")
    return {"dtype": name, "shape": list(tensor.shape), "data": data, "grad": can and grad}


def number(x):
    if isinstance(x, float) and x - x != 0:
        return "nan" if x != x else "inf" if x > 0 else "-inf"
    return x

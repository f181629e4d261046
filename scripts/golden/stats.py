"""Statistics of a tensor as a report defines them, in float64 on the tensor's own numbers."""
import math

import torch

NAMES = ["count", "mean", "std", "rms", "min", "max", "absMax", "l2", "zeroFraction",
         "nan", "posInf", "negInf", "nearZero"]

Number = float | int | str


def stats(tensor: torch.Tensor) -> list[Number]:
    """The numbers named in NAMES. `mean` to `l2` are over the finite elements, NaN where none is
    (but `l2` of an empty tensor is 0). `std` is the population's. Complex numbers count as their
    absolute values. `nearZero` is the share of elements that rounding may have kept from 0: they
    are at most 1e-4 of the largest, in half precision 2e-3.
    """
    t = tensor.detach()
    values = (t.to(torch.complex128).abs() if t.is_complex() else t.to(torch.float64)).reshape(-1)
    finite = values[torch.isfinite(values)]
    moments = [math.nan] * 6 + [math.nan if values.numel() else 0.0]
    if finite.numel():
        mean_square = finite.pow(2).mean()
        moments = [finite.mean(), finite.std(correction=0), mean_square.sqrt(), finite.min(),
                   finite.max(), finite.abs().max(), finite.pow(2).sum().sqrt()]
    count = values.numel()
    zeros = int((values == 0).sum())
    largest = finite.abs().max() if finite.numel() else 0
    rounding = 2e-3 if t.dtype in (torch.float16, torch.bfloat16) else 1e-4
    near = int((values.abs() <= rounding * largest).sum())
    return [
        count,
        *(number(m) for m in moments),
        number(zeros / count if count else 0.0),
        int(values.isnan().sum()),
        int(values.isposinf().sum()),
        int(values.isneginf().sum()),
        number(near / count if count else 0.0),
    ]


def number(x: float | torch.Tensor) -> Number:
    """Seven significant digits, and words for what JSON has no number for."""
    x = float(x)
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    return float(f"{x:.7g}")

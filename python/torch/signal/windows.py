"""torch.signal.windows: windows by their formulas, in the order of PyTorch's arithmetic."""

import math

from .._call import call, composite
from .._devices import check
from .._factories import get_default_dtype

__all__ = [
    "bartlett",
    "blackman",
    "cosine",
    "exponential",
    "gaussian",
    "general_cosine",
    "general_hamming",
    "hamming",
    "hann",
    "kaiser",
    "nuttall",
]


def _window(name):
    """A window of M places; `body(M, span, dtype, …)` has what is not trivial."""

    def wrap(body):
        @composite(name)
        def function(
            M, *args, sym=True, dtype=None, layout=None, device=None, requires_grad=False, **kwargs
        ):
            check(device)
            if M < 0:
                raise ValueError(f"{name} requires non-negative window length, got M={M}")
            dtype = dtype or get_default_dtype()
            if M < 2:
                made = call("ones", (M,), {"dtype": dtype})
            else:
                made = body(M, sym, dtype, *args, **kwargs)
            return made.requires_grad_() if requires_grad else made

        function.__name__ = function.__qualname__ = name
        return function

    return wrap


def _line(start, end, count, dtype):
    return call("linspace", (start, end, count), {"dtype": dtype})


@_window("exponential")
def exponential(M, sym, dtype, *, center=None, tau=1.0):
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    center = (M - 1 if sym else M) / 2 if center is None else center
    k = _line(-center / tau, (-center + (M - 1)) / tau, M, dtype)
    return (-k.abs()).exp()


@_window("cosine")
def cosine(M, sym, dtype):
    step = math.pi / (M if sym else M + 1)
    return _line(0.5 * step, (0.5 + (M - 1)) * step, M, dtype).sin()


@_window("gaussian")
def gaussian(M, sym, dtype, *, std=1.0):
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    start = -(M - 1 if sym else M) / 2.0
    step = 1 / (std * math.sqrt(2))
    k = _line(start * step, (start + (M - 1)) * step, M, dtype)
    return (-(k**2)).exp()


@_window("kaiser")
def kaiser(M, sym, dtype, *, beta=12.0):
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    step = 2.0 * beta / (M - 1 if sym else M)
    k = _line(-beta, min(beta, -beta + (M - 1) * step), M, dtype)
    top = call("full", ((), beta), {"dtype": dtype})
    return call("i0", ((beta * beta - k.pow(2)).sqrt(),), {}) / call("i0", (top,), {})


def _cosines(M, sym, dtype, a):
    k = _line(0, (M - 1) * (2 * math.pi / (M - 1 if sym else M)), M, dtype)
    waves = [(-1) ** i * share * (i * k).cos() for i, share in enumerate(a)]
    return sum(waves[1:], waves[0])


@_window("general_cosine")
def general_cosine(M, sym, dtype, *, a):
    if not isinstance(a, (list, tuple)):
        raise TypeError("Coefficients must be a list/tuple")
    if not a:
        raise ValueError("Coefficients cannot be empty")
    return _cosines(M, sym, dtype, a)


@_window("general_hamming")
def general_hamming(M, sym, dtype, *, alpha=0.54):
    return _cosines(M, sym, dtype, [alpha, 1.0 - alpha])


@_window("hamming")
def hamming(M, sym, dtype):
    return _cosines(M, sym, dtype, [0.54, 0.46])


@_window("hann")
def hann(M, sym, dtype):
    return _cosines(M, sym, dtype, [0.5, 0.5])


@_window("blackman")
def blackman(M, sym, dtype):
    return _cosines(M, sym, dtype, [0.42, 0.5, 0.08])


@_window("nuttall")
def nuttall(M, sym, dtype):
    return _cosines(M, sym, dtype, [0.3635819, 0.4891775, 0.1365995, 0.0106411])


@_window("bartlett")
def bartlett(M, sym, dtype):
    step = 2 / (M - 1 if sym else M)
    return 1 - _line(-1, -1 + (M - 1) * step, M, dtype).abs()

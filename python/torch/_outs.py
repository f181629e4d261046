"""`out=` of functions that are written in Python: what they give is written to it."""

import functools

from ._call import call

_NAMES = """
alias_copy cholesky_inverse cholesky_solve frexp frobenius_norm gcd histogram igamma igammac lcm lu_solve mode
mvlgamma nanmedian nanquantile narrow_copy nuclear_norm quantile range renorm triangular_solve unfold_copy vdot
""".split()


def write(name, made, out):
    """`made` in the memory of `out`, which takes its shape; `name` is that of the function."""
    return call("written", (made, name), {"out": out})


def _writing(name, function):
    @functools.wraps(function)
    def writing(*args, out=None, **kwargs):
        made = function(*args, **kwargs)
        if out is None:
            return made
        if not isinstance(made, tuple):
            return write(name, made, out)
        if not isinstance(out, (tuple, list)):
            found = type(out).__name__
            raise TypeError(f"{name}(): argument 'out' must be tuple of Tensors, not {found}")
        written = [write(name, part, to) for part, to in zip(made, out)]
        return made._make(written) if hasattr(made, "_make") else tuple(written)

    return writing


def expose(namespace):
    for name in _NAMES:
        namespace[name] = _writing(name, namespace[name])

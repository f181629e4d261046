"""torch.fft."""

from .. import _call
from .._table import TABLE as _TABLE
from .._unsupported import missing as _missing

_call.expose(globals(), _TABLE, "torch.fft")


def hfft2(input, s=None, dim=(-2, -1), norm=None):
    return hfftn(input, s, dim, norm)


@_call.composite("hfftn")
def hfftn(input, s=None, dim=None, norm=None):
    """Transforms over all axes, the last of which holds half of a real signal's spectrum."""
    dim, s = _axes(input, s, dim)
    lead = fftn(input, s[:-1], dim[:-1], norm) if len(dim) > 1 else input  # noqa: F821
    return hfft(lead, s[-1], dim[-1], norm)  # noqa: F821


def ihfft2(input, s=None, dim=(-2, -1), norm=None):
    return ihfftn(input, s, dim, norm)


@_call.composite("ihfftn")
def ihfftn(input, s=None, dim=None, norm=None):
    dim, s = _axes(input, s, dim)
    last = ihfft(input, s[-1], dim[-1], norm)  # noqa: F821
    return ifftn(last, s[:-1], dim[:-1], norm) if len(dim) > 1 else last  # noqa: F821


def _axes(input, s, dim):
    """The axes and their lengths: those of the input where none is given."""
    if dim is None:
        dim = range(-(input.dim() if s is None else len(s)), 0)
    dim = [dim] if isinstance(dim, int) else list(dim)
    if s is None:
        return dim, [*(input.shape[axis] for axis in dim[:-1]), None]
    return dim, [input.shape[axis] if size == -1 else size for size, axis in zip(s, dim)]


def __getattr__(name):
    raise _missing("torch.fft", name, globals())

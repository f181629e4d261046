"""numpy.fft, as far as torch.fft has it."""

import torch
from torch import fft as _fft
from torch._unsupported import missing as _missing

from .._array import array, asarray, ndarray


def _wide(a):
    """numpy transforms in double precision what is no single one."""
    a = asarray(a)
    return (a.astype("float64") if a.dtype.kind in "biu" else a)._tensor


def _along_one(name):
    def function(a, n=None, axis=-1, norm=None, out=None):
        return ndarray(getattr(_fft, name)(_wide(a), n, axis, norm))

    return function


def _along_several(name, default):
    def function(a, s=None, axes=default, norm=None, out=None):
        return ndarray(getattr(_fft, name)(_wide(a), s, axes, norm))

    return function


fft, ifft, rfft, irfft, hfft, ihfft = map(
    _along_one, ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
)
fft2, ifft2, rfft2, irfft2 = (
    _along_several(name, (-2, -1)) for name in ("fft2", "ifft2", "rfft2", "irfft2")
)
fftn, ifftn, rfftn, irfftn = (
    _along_several(name, None) for name in ("fftn", "ifftn", "rfftn", "irfftn")
)


def fftfreq(n, d=1.0):
    return ndarray(_fft.fftfreq(n, d, dtype=torch.float64))


def rfftfreq(n, d=1.0):
    return ndarray(_fft.rfftfreq(n, d, dtype=torch.float64))


def fftshift(x, axes=None):
    return ndarray(_fft.fftshift(array(x)._tensor, axes))


def ifftshift(x, axes=None):
    return ndarray(_fft.ifftshift(array(x)._tensor, axes))


def __getattr__(name):
    raise _missing("numpy.fft", name, globals())

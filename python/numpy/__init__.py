"""numpy as far as model files use it: arrays that share their memory with the tracer's tensors."""

import contextlib as _contextlib
import math as _math

from torch._unsupported import missing as _missing

from . import (
    _creation,
    _functions,
    _grids,
    _nans,
    _polynomials,
    _searching,
    _selecting,
    _shapes,
    _signals,
    _types,
    _ufuncs,
)
from ._array import asarray, ndarray
from ._types import dtype, generic

__version__ = "2.4.6"
pi, e, inf, nan = _math.pi, _math.e, _math.inf, _math.nan
euler_gamma = 0.5772156649015329
newaxis = None
little_endian = True
ScalarType = (int, float, complex, bool, bytes, str)

_PARTS = (_types, _ufuncs, _creation, _shapes, _functions, _searching, _signals)
for _part in (*_PARTS, _nans, _grids, _selecting, _polynomials):
    for _name, _found in vars(_part).items():
        if not _name.startswith("_") and getattr(_found, "__module__", "numpy").startswith("numpy"):
            globals()[_name] = _found
bool = bool_ = _types.bool_  # noqa: A001
issubdtype = _types.is_subtype
result_type = promote_types = lambda *types: _promoted(types)
absolute = _ufuncs.abs


def _promoted(given):
    found = None
    for one in given:
        own = one.dtype if isinstance(one, (ndarray, generic)) else dtype(one)
        found = own if found is None else _types.promote(found, own)
    return found


def isscalar(element):
    return isinstance(element, (int, float, complex, str, bytes, generic))


def ndim(a):
    return asarray(a).ndim


def shape(a):
    return asarray(a).shape


def size(a, axis=None):
    return asarray(a).size if axis is None else asarray(a).shape[axis]


def iscomplexobj(x):
    return asarray(x).dtype.kind == "c"


def iterable(y):
    return hasattr(y, "__iter__")


def array2string(a, **options):
    return str(asarray(a))


def can_cast(from_, to, casting="safe"):
    return _types.promote(dtype(from_), dtype(to)) is dtype(to)


class finfo:
    """Limits of a floating-point type."""

    def __init__(self, type_):
        import torch

        limits = torch.finfo(dtype(type_).torch)
        for name in ("min", "max", "eps", "tiny", "smallest_normal", "resolution", "bits"):
            setattr(self, name, getattr(limits, name))
        self.dtype = dtype(type_)


class iinfo:
    """Limits of an integer type."""

    def __init__(self, type_):
        self.dtype = dtype(type_)
        self.bits = self.dtype.itemsize * 8
        signed = self.dtype.kind == "i"
        self.max = 2 ** (self.bits - signed) - 1
        self.min = -(2 ** (self.bits - 1)) if signed else 0


def set_printoptions(**options):
    pass


def seterr(**options):
    return {}


@_contextlib.contextmanager
def errstate(**options):
    yield


@_contextlib.contextmanager
def printoptions(**options):
    yield


def broadcast_shapes(*shapes):
    import torch

    return tuple(torch.broadcast_shapes(*shapes))


from . import fft, linalg, random, testing, typing  # noqa: E402, F401


# Names of Python's own types, as NumPy had them before 1.24.
_OF_PYTHON = {"float": float, "int": int, "object": object, "complex": complex, "str": str}


def __getattr__(name):
    if name in _OF_PYTHON:
        return _OF_PYTHON[name]
    raise _missing("numpy", name, globals())

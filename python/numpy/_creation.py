"""New arrays: filled, counted, and parts of matrices."""

import builtins
import math

import torch
from torch._tensor import Tensor

from ._array import array, asarray, host, ndarray
from ._types import dtype as make_dtype

_int = builtins.int


def _sizes(shape):
    return tuple(shape) if hasattr(shape, "__iter__") else (shape,)


def _filled(name):
    def function(shape, dtype=float, order="C", **options):
        return ndarray(host(name, _sizes(shape), dtype=make_dtype(dtype).torch))

    return function


zeros, ones = _filled("zeros"), _filled("ones")
# What memory holds is nobody's number: zeros are as good.
empty = zeros


def full(shape, fill_value, dtype=None, order="C"):
    wanted = array(fill_value).dtype if dtype is None else make_dtype(dtype)
    value = fill_value.item() if isinstance(fill_value, ndarray) else fill_value
    return ndarray(host("full", _sizes(shape), value, dtype=wanted.torch))


def zeros_like(a, dtype=None, order="K", subok=True, shape=None):
    a = asarray(a)
    return zeros(a.shape if shape is None else shape, dtype or a.dtype)


def ones_like(a, dtype=None, order="K", subok=True, shape=None):
    a = asarray(a)
    return ones(a.shape if shape is None else shape, dtype or a.dtype)


empty_like = zeros_like


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None):
    a = asarray(a)
    return full(a.shape if shape is None else shape, fill_value, dtype or a.dtype)


def eye(N, M=None, k=0, dtype=float, order="C"):  # noqa: N803
    columns = N if M is None else M
    made = zeros((N, columns), dtype)
    for row in range(max(0, -k), min(N, columns - k)):
        made[row, row + k] = 1
    return made


def identity(n, dtype=None):
    return eye(n, dtype=dtype or float)


def arange(start, stop=None, step=1, dtype=None):
    if stop is None:
        start, stop = 0, start
    whole = all(isinstance(x, _int) for x in (start, stop, step))
    count = max(0, math.ceil((stop - start) / step))
    numbers = [start + i * step for i in range(count)]
    return array(numbers, dtype=dtype or ("int64" if whole else "float64"))


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    parts = num - 1 if endpoint else num
    step = (stop - start) / parts if parts > 0 else math.nan
    numbers = [start + i * step for i in range(num)]
    if endpoint and num > 1:
        numbers[-1] = stop
    made = array([float(x) for x in numbers], dtype=dtype)
    return (made, step) if retstep else made


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None):
    return array([base**x for x in linspace(start, stop, num, endpoint).tolist()], dtype=dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None):
    exponents = linspace(math.log10(start), math.log10(stop), num, endpoint).tolist()
    return array([10.0**x for x in exponents], dtype=dtype)


def copy(a, order="K", subok=False):
    return array(a)


def ascontiguousarray(a, dtype=None):
    return ndarray(host("contiguous", asarray(a, dtype)._tensor))


asanyarray = asarray


def frombuffer(buffer, dtype=float, count=-1, offset=0):
    import struct

    wanted = make_dtype(dtype)
    code = {
        "float64": "d",
        "float32": "f",
        "float16": "e",
        "int64": "q",
        "int32": "i",
        "int16": "h",
        "int8": "b",
        "uint8": "B",
        "uint16": "H",
        "uint32": "I",
    }[wanted.name]
    data = bytes(buffer)[offset:]
    size = len(data) // wanted.itemsize if count < 0 else count
    numbers = struct.unpack(f"<{size}{code}", data[: size * wanted.itemsize])
    return array(list(numbers), dtype=wanted)


def fromstring(string, dtype=float, count=-1, *, sep):
    numbers = [float(part) for part in string.split(None if sep.isspace() else sep)]
    return array(numbers if count < 0 else numbers[:count], dtype=dtype)


def fromiter(iter, dtype, count=-1):  # noqa: A002
    return array(list(iter), dtype=dtype)


def tril(m, k=0):
    return ndarray(host("tril", asarray(m)._tensor, diagonal=k))


def triu(m, k=0):
    return ndarray(host("triu", asarray(m)._tensor, diagonal=k))


def tri(N, M=None, k=0, dtype=float):  # noqa: N803
    return tril(ones((N, N if M is None else M), dtype), k)


def diag(v, k=0):
    v = asarray(v)
    if v.ndim == 2:
        return diagonal(v, k)
    size = len(v) + builtins.abs(k)
    made = zeros((size, size), v.dtype)
    for i, x in enumerate(v.tolist()):
        made[i + max(0, -k), i + max(0, k)] = x
    return made


def diagonal(a, offset=0, axis1=0, axis2=1):
    return ndarray(host("diagonal", asarray(a)._tensor, offset, axis1, axis2))


def fill_diagonal(a, val, wrap=False):
    """In place; the rows of a tall matrix below its square are filled with `wrap` alone."""
    rows = a.shape[1] if a.ndim == 2 and not wrap else None
    flat = a[:rows] if rows is not None else a
    step = (
        flat.shape[1] + 1
        if flat.ndim == 2
        else 1 + sum(flat.shape[0] ** i for i in range(1, flat.ndim))
    )
    values = flat.reshape(-1)
    values[::step] = val
    flat[...] = values.reshape(flat.shape)


def tril_indices(n, k=0, m=None):
    columns = n if m is None else m
    pairs = [(i, j) for i in range(n) for j in range(columns) if j <= i + k]
    return tuple(array([pair[axis] for pair in pairs], dtype="int64") for axis in (0, 1))


def triu_indices(n, k=0, m=None):
    columns = n if m is None else m
    pairs = [(i, j) for i in range(n) for j in range(columns) if j >= i + k]
    return tuple(array([pair[axis] for pair in pairs], dtype="int64") for axis in (0, 1))


def indices(dimensions, dtype="int64"):
    return array([_ramp(dimensions, axis) for axis in range(len(dimensions))], dtype=dtype)


def _ramp(sizes, axis):
    shape = [1] * len(sizes)
    shape[axis] = sizes[axis]
    return ndarray(host("arange", sizes[axis])).reshape(shape) + zeros(sizes, "int64")


def meshgrid(*xi, indexing="xy", sparse=False, copy=True):
    vectors = [asarray(x).ravel() for x in xi]
    sizes = [len(v) for v in vectors]
    grids = []
    for axis, v in enumerate(vectors):
        shape = [1] * len(vectors)
        shape[axis] = sizes[axis]
        grid = v.reshape(shape)
        grids.append(grid if sparse else ndarray(host("expand", grid._tensor, sizes)).copy())
    if indexing == "xy" and len(grids) > 1:
        grids = [grid.swapaxes(0, 1) for grid in grids]
    return tuple(grids)


def _refuse(name):
    def function(*args, **kwargs):
        raise torch.UnsupportedCall(
            f"numpy.{name} is not supported: a run reads and writes no arrays"
        )

    return function


load, save, savez, memmap, loadtxt, savetxt, genfromtxt, fromfile, savez_compressed = map(
    _refuse,
    (
        "load",
        "save",
        "savez",
        "memmap",
        "loadtxt",
        "savetxt",
        "genfromtxt",
        "fromfile",
        "savez_compressed",
    ),
)


def from_dlpack(x):
    return ndarray(x.detach()) if isinstance(x, Tensor) else asarray(x)

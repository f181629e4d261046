"""Tensors from Python's numbers: torch.tensor, as_tensor, and the old constructors."""

import collections.abc

from . import _dtypes, _meta
from ._call import call, composite, new_leaf
from ._devices import check as check_device, is_meta
from ._host import host
from ._tensor import Tensor, wrap

_state = {"default": _dtypes.float32}


def get_default_dtype():
    return _state["default"]


def set_default_dtype(dtype):
    _state["default"] = dtype
    host.set_default_dtype(dtype.name)


@composite("tensor")
def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A new leaf with a copy of the numbers."""
    check_device(device)
    made = _from_data(data, dtype)
    if is_meta(device) or (device is None and _meta.is_default()):
        _meta.mark(made)
    return new_leaf(made) if requires_grad else made


@composite("as_tensor")
def as_tensor(data, dtype=None, device=None):
    check_device(device)
    if isinstance(data, Tensor):
        moved = data if device is None else data.to(device)
        return moved if dtype is None or dtype is data.dtype else moved.to(dtype)
    if hasattr(data, "__torch_tensor__"):
        shared = data.__torch_tensor__()
        return shared if dtype is None else shared.to(dtype)
    return _from_data(data, dtype)


@composite("asarray")
def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    made = tensor(obj, dtype=dtype) if copy else as_tensor(obj, dtype)
    return new_leaf(made) if requires_grad else made


def from_numpy(ndarray):
    if not hasattr(ndarray, "__torch_tensor__"):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    return ndarray.__torch_tensor__()


def _from_data(data, dtype):
    if isinstance(data, Tensor):
        copied = call("fresh", (data,), {})
        return copied if dtype is None else copied.to(dtype)
    if hasattr(data, "__torch_tensor__"):
        copied = call("fresh", (data.__torch_tensor__(),), {})
        return copied if dtype is None else copied.to(dtype)
    sizes = _sizes_of_first(data)
    if 0 in sizes:
        return _from_flat([], sizes, _dtypes.PYTHON_TYPES.get(dtype, dtype) or _state["default"])
    flat = []
    shape = _flatten(data, flat, 0, dtype is not None and not _is_of_fractions(dtype))
    found = _dtypes.PYTHON_TYPES.get(dtype, dtype) or _dtype_of(flat)
    return _from_flat(flat, shape, found)


def _is_of_fractions(dtype):
    dtype = _dtypes.PYTHON_TYPES.get(dtype, dtype)
    return dtype.is_floating_point or dtype.is_complex


def _sizes_of_first(data):
    """The lengths of a list, of its first item, and so on: with a 0 they alone are the shape."""
    sizes = []
    while isinstance(data, (list, tuple)):
        sizes.append(len(data))
        if not data:
            break
        data = data[0]
    return sizes


def _from_flat(flat, shape, dtype):
    if dtype.is_complex:
        parts = [part for x in map(complex, flat) for part in (x.real, x.imag)]
        text = ",".join(map(_float_text, parts))
    elif dtype.is_floating_point:
        text = ",".join(map(_float_text, flat))
    elif dtype.name == "bool":
        text = ",".join("1" if x else "0" for x in flat)
    else:
        text = ",".join(map(str, _whole_numbers(flat, dtype)))
    return wrap(host.from_text(dtype.name, ",".join(map(str, shape)), text))


def _whole_numbers(flat, dtype):
    """Numbers of an integer type; negative ones of an unsigned type wrap."""
    limits = _dtypes.iinfo(dtype)
    low = min(limits.min, -limits.max)
    fits = ((limits.min if isinstance(x, float) else low) <= x <= limits.max for x in flat)
    if not all(fits):
        raise RuntimeError(f"value cannot be converted to type {dtype.name} without overflow")
    return map(int, flat)


def _float_text(x):
    text = repr(float(x))
    return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(text, text)


def _flatten(data, flat, depth, needs_whole=False):
    """Appends the numbers row-major and returns the shape; refuses ragged lists as PyTorch does."""
    if isinstance(data, Tensor):
        if depth > 0 and data.numel() != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        if needs_whole and depth > 0 and _is_of_fractions(data.dtype):
            raise TypeError("only integer tensors of a single element can be converted to an index")
        flat.extend(data.reshape(-1).tolist())
        return () if depth > 0 else tuple(data.shape)
    if isinstance(data, (bool, int, float, complex)):
        flat.append(data)
        return ()
    if hasattr(data, "__torch_tensor__"):
        flat.extend(map(data.dtype.type, data.ravel().tolist()))
        return data.shape
    if isinstance(data, str):
        raise TypeError("new(): invalid data type 'str'")
    if hasattr(data, "tolist") and not isinstance(data, (list, tuple)):
        return _flatten(data.tolist(), flat, depth, needs_whole)
    if isinstance(data, collections.abc.Mapping) or not hasattr(data, "__getitem__"):
        if hasattr(data, "item"):
            return _flatten(data.item(), flat, depth, needs_whole)
        raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")
    inner = None
    for item in data:
        shape = _flatten(item, flat, depth + 1, needs_whole)
        if inner is None:
            inner = shape
        elif shape != inner:
            found = shape[0] if shape else 0
            wanted = inner[0] if inner else 0
            raise ValueError(
                f"expected sequence of length {wanted} at dim {depth + 1} (got {found})"
            )
    return (len(data), *(inner or ()))


def _dtype_of(flat):
    kinds = {type(x): x for x in flat}
    typed = {kind: kinds.pop(kind) for kind in list(kinds) if kind not in _PYTHON_NUMBERS}
    found = _dtype_of_python(kinds) if kinds or not typed else None
    for sample in typed.values():
        own = sample.dtype.torch if hasattr(sample, "dtype") else _dtype_of_python({int: sample})
        found = own if found is None else _dtypes.BY_NAME[host.promote_types(found.name, own.name)]
    return found


_PYTHON_NUMBERS = {bool, int, float, complex}


def _dtype_of_python(kinds):
    if complex in kinds:
        return _state["default"].to_complex()
    if float in kinds or not kinds:
        return _state["default"]
    return _dtypes.bool if set(kinds) == {bool} else _dtypes.int64


_LEGACY = {
    "FloatTensor": _dtypes.float32,
    "DoubleTensor": _dtypes.float64,
    "HalfTensor": _dtypes.float16,
    "BFloat16Tensor": _dtypes.bfloat16,
    "LongTensor": _dtypes.int64,
    "IntTensor": _dtypes.int32,
    "ShortTensor": _dtypes.int16,
    "CharTensor": _dtypes.int8,
    "ByteTensor": _dtypes.uint8,
    "BoolTensor": _dtypes.bool,
}


def legacy_type_name(dtype):
    if dtype.is_complex:
        return f"torch.Complex{_COMPLEX_NAMES[dtype.name]}Tensor"
    for name, found in _LEGACY.items():
        if found is dtype:
            return "torch." + name
    return repr(dtype)


_COMPLEX_NAMES = {"complex32": "Half", "complex64": "Float", "complex128": "Double"}


def dtype_of_legacy_name(name):
    short = name.split(".")[-1]
    return _LEGACY.get(short) or _dtypes.BY_NAME[short]


def legacy_tensor(cls, args, kwargs, dtype=None):
    """torch.Tensor(2, 3), torch.FloatTensor([1., 2.])."""
    dtype = dtype or getattr(cls, "_dtype", None) or _state["default"]
    data = args[0] if args else kwargs.get("data")
    if data is None and not args:
        made = _from_flat([], (0,), dtype)
    elif len(args) > 1 or isinstance(data, int):
        made = call("empty", (tuple(args),), {"dtype": dtype})
    elif isinstance(data, _dtypes.Size):
        made = call("empty", (tuple(data),), {"dtype": dtype})
    elif isinstance(data, Tensor):
        made = data if data.dtype is dtype and cls is Tensor else data.detach().to(dtype)
        if made is data:
            made = call("alias", (data,), {})
    elif data is None or isinstance(data, float):
        raise TypeError(f"new(): data must be a sequence (got {type(data).__name__})")
    else:
        made = _from_data(data, dtype)
    return made._become(cls) if not hasattr(cls, "_dtype") else made


class _LegacyMeta(type):
    def __instancecheck__(cls, value):
        return isinstance(value, Tensor) and value.dtype is cls._dtype


def legacy_classes():
    """FloatTensor and its kin: constructors, and types for isinstance."""
    return {
        name: _LegacyMeta(name, (Tensor,), {"_dtype": dtype, "__module__": "torch"})
        for name, dtype in _LEGACY.items()
    }

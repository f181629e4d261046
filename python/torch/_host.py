"""The one door to the host: every torch call goes through `call`, with the place in the user's source."""

import linecache
import sys

import _normscope_host as host

from . import _devices, _dtypes

_HERE = __file__.rsplit("/", 1)[0] + "/"
# Code that is not the user's: this package and its neighbours, the standard library.
_LIBRARIES = (_HERE.rsplit("/", 2)[0] + "/", "/lib/python3", "<")


class UnsupportedCall(NotImplementedError):
    """PyTorch has this call, the stand-in does not."""

    normscope_code = "trace/unsupported-call"
    normscope_hint = "docs/torch.md lists what is supported"


class OutOfMemoryError(RuntimeError):
    """An allocation that no machine of this kind can make."""


class _LinAlgError(RuntimeError):
    """A matrix has no inverse or no factor."""


_positions = {}
_sites = {}
# Keeps the code objects alive whose id() is a key.
_codes = []


def user_frame():
    """The innermost frame that runs the user's code."""
    frame = sys._getframe(2)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_LIBRARIES):
            return frame
        frame = frame.f_back
    return None


def site():
    """The number of the place in the user's source that is running."""
    frame = user_frame()
    if frame is None:
        return 0
    code = frame.f_code
    key = (id(code), frame.f_lasti)
    known = _sites.get(key)
    if known is None:
        known = _sites[key] = _new_site(code, frame.f_lasti)
    return known


def _new_site(code, at):
    positions = _positions.get(id(code))
    if positions is None:
        positions = _positions[id(code)] = list(code.co_positions())
        _codes.append(code)
    line, end_line, column, end_column = positions[at // 2]
    line = line or code.co_firstlineno
    end_line = end_line or line
    return host.site(
        code.co_filename,
        line,
        _utf16(code.co_filename, line, column or 0),
        end_line,
        _utf16(code.co_filename, end_line, end_column or 0),
        code.co_name,
    )


def _utf16(file, line, column):
    """Columns count bytes in CPython, UTF-16 units in an editor."""
    text = linecache.getline(file, line)
    if text.isascii():
        return column
    return len(text.encode()[:column].decode(errors="ignore").encode("utf-16-le")) // 2


# Tensors that arguments were made into: they must last until the host has run the call.
lent = []


def encode(value, letters, values):
    """Appends one argument: a letter that says what it is, and its plain values."""
    encoder = _ENCODERS.get(type(value))
    if encoder is not None:
        encoder(value, letters, values)
    else:
        _encode_other(value, letters, values)


def _encode_tensor(value, letters, values):
    letters.append("t")
    values.append(value._id)


def _encode_int(value, letters, values):
    letters.append("i")
    values.append(value)


def _encode_float(value, letters, values):
    letters.append("f")
    values.append(value)


def _encode_bool(value, letters, values):
    letters.append("b")
    values.append(value)


def _encode_complex(value, letters, values):
    letters.append("c")
    values.append(value.real)
    values.append(value.imag)


def _encode_str(value, letters, values):
    letters.append("s")
    values.append(value)


def _encode_none(value, letters, values):
    letters.append("n")


def _encode_ellipsis(value, letters, values):
    letters.append("e")


def _encode_dtype(value, letters, values):
    if value.name not in _dtypes.BY_NAME:
        from ._unsupported import unsupported

        raise unsupported(repr(value))
    letters.append("d")
    values.append(value.name)


def _encode_device(value, letters, values):
    _devices.check(value)
    letters.append("s")
    values.append(str(value))


def _encode_slice(value, letters, values):
    letters.append("z")
    encode(value.start, letters, values)
    encode(value.stop, letters, values)
    encode(value.step, letters, values)


def _encode_tuple(value, letters, values):
    letters.append("(")
    for item in value:
        encode(item, letters, values)
    letters.append("]")


def _encode_object(value, letters, values):
    letters.append("o")
    values.append(type(value).__name__)


def _encode_sequence(value, letters, values):
    letters.append("[")
    for item in value:
        encode(item, letters, values)
    letters.append("]")


_ENCODERS = {
    int: _encode_int,
    float: _encode_float,
    bool: _encode_bool,
    complex: _encode_complex,
    str: _encode_str,
    type(None): _encode_none,
    type(Ellipsis): _encode_ellipsis,
    slice: _encode_slice,
    tuple: _encode_tuple,
    list: _encode_sequence,
    range: _encode_sequence,
    _dtypes.Size: _encode_tuple,
    dict: _encode_object,
    set: _encode_object,
    _dtypes.dtype: _encode_dtype,
    _dtypes.device: _encode_device,
}


def _encode_other(value, letters, values):
    if hasattr(type(value), "_normscope_stands_for"):
        value._refuse()
    if type(getattr(value, "_id", None)) is int:
        _encode_tensor(value, letters, values)
    elif hasattr(value, "__torch_tensor__"):
        lent.append(value.__torch_tensor__())
        _encode_tensor(lent[-1], letters, values)
    elif isinstance(value, int):
        _encode_int(int(value), letters, values)
    elif isinstance(value, float):
        _encode_float(float(value), letters, values)
    elif isinstance(value, str):
        _encode_str(str(value), letters, values)
    elif isinstance(value, type) and value in _dtypes.PYTHON_TYPES:
        _encode_dtype(_dtypes.PYTHON_TYPES[value], letters, values)
    elif hasattr(value, "__index__"):
        _encode_int(value.__index__(), letters, values)
    elif isinstance(value, tuple):
        _encode_tuple(value, letters, values)
    elif isinstance(value, list):
        _encode_sequence(value, letters, values)
    elif hasattr(value, "__iter__"):
        _encode_object(value, letters, values)
    else:
        letters.append("s")
        values.append(str(value))

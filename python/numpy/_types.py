"""numpy's element types: scalar classes, dtype objects, and promotion."""

import struct

import torch

_KINDS = {"bool": "b", "int": "i", "uint": "u", "float": "f", "complex": "c"}


class generic:
    """A single element with a type."""

    @property
    def dtype(self):
        return dtype(type(self))

    shape = ()
    ndim = 0
    size = 1

    def item(self):
        return self._python(self)

    tolist = item

    def round(self, decimals=0):
        return type(self)(round(self._python(self), decimals))

    def copy(self):
        return self

    def sum(self, axis=None, **options):
        return self

    mean = max = min = sum

    def astype(self, dtype_, copy=True):
        return dtype(dtype_).type(self._python(self))

    def __repr__(self):
        return f"np.{type(self).__name__}({self._python(self)!r})"

    def __str__(self):
        return str(self._python(self))

    def __format__(self, spec):
        return format(self._python(self), spec)


class number(generic):
    pass


class integer(number):
    _python = int


class signedinteger(integer):
    pass


class unsignedinteger(integer):
    pass


class inexact(number):
    pass


class floating(inexact):
    _python = float


class complexfloating(inexact):
    _python = complex


class bool_:
    """numpy's booleans are Python's here."""

    def __new__(cls, value=False):
        if hasattr(value, "__len__"):
            from ._array import array

            return array(value, dtype=bool)
        return bool(value)


_BASES = {
    "i": (int, signedinteger),
    "u": (int, unsignedinteger),
    "f": (float, floating),
    "c": (complex, complexfloating),
}
_ROUND = {"float32": "f", "float16": "e"}


def _scalar(name, kind, bits):
    python, base = _BASES[kind]

    def __new__(cls, value=0):
        if hasattr(value, "__len__") and not isinstance(value, str):
            from ._array import array

            return array(value, dtype=cls)
        value = python(value)
        if name in _ROUND:
            value = _rounded(value, _ROUND[name])
        elif kind in "iu":
            value = _wrapped(value, bits, kind == "i")
        return python.__new__(cls, value)

    own = {"__new__": __new__, "__module__": "numpy", "_bits": bits, "__hash__": python.__hash__}
    for operator in _OPERATORS:
        if hasattr(python, operator):
            own[operator] = _typed(getattr(python, operator))
    return type(name, (base, python), own)


_OPERATORS = [
    f"__{side}{name}__"
    for name in "add sub mul truediv floordiv mod pow".split()
    for side in ("", "r")
]
_OPERATORS += ["__neg__", "__abs__", "__pos__"]


def _typed(method):
    """The method of Python's number, whose result has numpy's type."""

    def operator(self, *others):
        made = method(self, *others)
        if made is NotImplemented and isinstance(others[0], float):
            return getattr(float64(self), method.__name__)(others[0])
        if type(made) not in (int, float, complex):
            return made
        wanted = dtype(type(self))
        for other in others:
            is_typed = isinstance(other, generic)
            wanted = promote(wanted, other.dtype) if is_typed else with_python_number(wanted, other)
        if isinstance(made, float) and wanted.kind in "iu":
            wanted = dtype(float64)
        return made if wanted.kind == "b" else wanted.type(made)

    return operator


def _rounded(value, code):
    try:
        return struct.unpack(code, struct.pack(code, value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _wrapped(value, bits, signed):
    value %= 1 << bits
    return value - (1 << bits) if signed and value >> (bits - 1) else value


float64, float32, float16 = (_scalar(f"float{n}", "f", n) for n in (64, 32, 16))
int64, int32, int16, int8 = (_scalar(f"int{n}", "i", n) for n in (64, 32, 16, 8))
uint64, uint32, uint16, uint8 = (_scalar(f"uint{n}", "u", n) for n in (64, 32, 16, 8))
complex128, complex64 = _scalar("complex128", "c", 128), _scalar("complex64", "c", 64)
double, single, half, longlong, intp, int_, float_ = (
    float64,
    float32,
    float16,
    int64,
    int64,
    int64,
    float64,
)
long, intc, short, byte, ubyte, uint, uintp = int64, int32, int16, int8, uint8, uint64, uint64
csingle, cdouble = complex64, complex128

_SCALARS = {
    cls.__name__: cls
    for cls in (
        float64,
        float32,
        float16,
        int64,
        int32,
        int16,
        int8,
        uint64,
        uint32,
        uint16,
        uint8,
        complex128,
        complex64,
    )
}
_SCALARS["bool"] = bool_
_PYTHON = {float: "float64", int: "int64", bool: "bool", complex: "complex128", bool_: "bool"}
_CODES = {
    "f8": "float64",
    "f4": "float32",
    "f2": "float16",
    "i8": "int64",
    "i4": "int32",
    "i2": "int16",
    "i1": "int8",
    "u1": "uint8",
    "u2": "uint16",
    "u4": "uint32",
    "u8": "uint64",
    "?": "bool",
    "b1": "bool",
    "c8": "complex64",
    "c16": "complex128",
    "f": "float32",
    "d": "float64",
    "e": "float16",
    "i": "int32",
    "l": "int64",
    "q": "int64",
    "b": "int8",
    "B": "uint8",
    "h": "int16",
    "H": "uint16",
    "float": "float64",
    "int": "int64",
    "double": "float64",
    "single": "float32",
    "half": "float16",
    "bool_": "bool",
    "complex": "complex128",
}


class dtype:
    """An element type. Equal to whatever names the same type."""

    def __new__(cls, given=float64):
        if isinstance(given, dtype):
            return given
        name = _name_of(given)
        known = _KNOWN.get(name)
        if known is None:
            known = _KNOWN[name] = object.__new__(cls)
            known.name = name
        return known

    @property
    def type(self):
        return _SCALARS[self.name]

    @property
    def kind(self):
        return _KINDS[self.name.rstrip("0123456789")]

    @property
    def itemsize(self):
        return (
            1 if self.name == "bool" else int(self.name.lstrip("abcdefghijklmnopqrstuvwxyz")) // 8
        )

    @property
    def torch(self):
        found = getattr(torch, self.name)
        if self.name in ("uint16", "uint32", "uint64"):
            raise torch.UnsupportedCall(f"numpy.{self.name} arrays are not supported")
        return found

    def __eq__(self, other):
        try:
            return self is dtype(other)
        except TypeError:
            return False

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return f"dtype('{self.name}')"

    def __str__(self):
        return self.name


_KNOWN = {}


def _name_of(given):
    if isinstance(given, type):
        if given in _PYTHON:
            return _PYTHON[given]
        if given.__name__ in _SCALARS:
            return given.__name__
    if isinstance(given, str):
        text = given.lstrip("<>=|")
        if text in _SCALARS:
            return text
        if text in _CODES:
            return _CODES[text]
    if given is None:
        return "float64"
    raise TypeError(f"Cannot interpret '{given!r}' as a data type")


def of_torch(torch_dtype):
    return dtype(torch_dtype.name)


def _of_size(kind, bits):
    return dtype({"i": "int", "u": "uint", "f": "float", "c": "complex"}[kind] + str(bits))


def promote(a, b):
    """The type of what two arrays give together."""
    if a is b or b.name == "bool":
        return a
    if a.name == "bool":
        return b
    a, b = sorted((a, b), key=lambda t: "uifc".index(t.kind))
    if a.kind == b.kind:
        return a if a.itemsize >= b.itemsize else b
    bits_a, bits_b = a.itemsize * 8, b.itemsize * 8
    if b.kind == "i":
        return (
            b
            if bits_b > bits_a
            else (_of_size("i", bits_a * 2) if bits_a < 64 else dtype("float64"))
        )
    if a.kind == "f":
        return _of_size("c", max(bits_b, bits_a * 2, 64))
    needed = {8: 16, 16: 32}.get(bits_a, 64)
    if b.kind == "f":
        return _of_size("f", max(bits_b, needed))
    return _of_size("c", max(bits_b, needed * 2, 64))


def with_python_number(a, value):
    """The type of an array with one of Python's numbers, which has a kind but no size."""
    kind = (
        "b"
        if isinstance(value, bool)
        else "i"
        if isinstance(value, int)
        else ("f" if isinstance(value, float) else "c")
    )
    order = "biufc"
    if order.index(kind) <= order.index(a.kind) or (kind == "i" and a.kind == "u"):
        return a
    if kind == "i":
        return dtype("int64")
    if kind == "f":
        return dtype("float64")
    return dtype("complex64") if a.name in ("float32", "float16") else dtype("complex128")


def is_subtype(a, b):
    """np.issubdtype."""
    if isinstance(b, type) and issubclass(b, generic) and b.__name__ not in _SCALARS:
        return issubclass(dtype(a).type, b)
    return dtype(a) is dtype(b)

"""torch.dtype, torch.device, torch.Size, and the other small descriptors."""

import builtins


class dtype:
    """An element type. There is one object for each."""

    __slots__ = ("name", "is_floating_point", "is_complex", "itemsize", "_largest", "_tiny", "_eps")

    def __init__(self, name, itemsize, kind):
        self.name = name
        self.itemsize = itemsize
        self.is_floating_point = kind == "float"
        self.is_complex = kind == "complex"

    @property
    def is_signed(self):
        return self.name != "bool" and not self.name.startswith("uint")

    def to_real(self):
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    def to_complex(self):
        return {"float32": complex64, "float64": complex128}.get(self.name, self)

    def __repr__(self):
        return "torch." + self.name

    def __reduce__(self):
        return (_dtype_named, (self.name,))

    def __deepcopy__(self, memo):
        return self


float64 = double = dtype("float64", 8, "float")
float32 = float = dtype("float32", 4, "float")  # noqa: A001
float16 = half = dtype("float16", 2, "float")
bfloat16 = dtype("bfloat16", 2, "float")
int64 = long = dtype("int64", 8, "int")
int32 = int = dtype("int32", 4, "int")  # noqa: A001
int16 = short = dtype("int16", 2, "int")
int8 = dtype("int8", 1, "int")
uint8 = dtype("uint8", 1, "int")
bool = dtype("bool", 1, "bool")  # noqa: A001
complex64 = cfloat = dtype("complex64", 8, "complex")
complex128 = cdouble = dtype("complex128", 16, "complex")

# Types that files name and compare with; no tensor has them here.
uint16 = dtype("uint16", 2, "int")
uint32 = dtype("uint32", 4, "int")
uint64 = dtype("uint64", 8, "int")
complex32 = chalf = dtype("complex32", 4, "complex")
bcomplex32 = dtype("bcomplex32", 4, "complex")
float8_e4m3fn = dtype("float8_e4m3fn", 1, "float")
float8_e4m3fnuz = dtype("float8_e4m3fnuz", 1, "float")
float8_e5m2 = dtype("float8_e5m2", 1, "float")
float8_e5m2fnuz = dtype("float8_e5m2fnuz", 1, "float")
float8_e8m0fnu = dtype("float8_e8m0fnu", 1, "float")
quint8 = dtype("quint8", 1, "int")
qint8 = dtype("qint8", 1, "int")
qint32 = dtype("qint32", 4, "int")
quint4x2 = dtype("quint4x2", 1, "int")
quint2x4 = dtype("quint2x4", 1, "int")
float4_e2m1fn_x2 = dtype("float4_e2m1fn_x2", 1, "float")
int1, int2, int3, int4, int5, int6, int7 = (dtype(f"int{n}", 1, "int") for n in range(1, 8))
uint1, uint2, uint3, uint4, uint5, uint6, uint7 = (dtype(f"uint{n}", 1, "int") for n in range(1, 8))

_CPP_NAMES = {
    "float64": "Double",
    "float32": "Float",
    "float16": "Half",
    "bfloat16": "BFloat16",
    "int64": "Long",
    "int32": "Int",
    "int16": "Short",
    "int8": "Char",
    "uint8": "Byte",
    "bool": "Bool",
    "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}


# The types of C++ that its compiler's names stand for.
_C_NAMES = {
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "float32": "float",
    "float64": "double",
    "int64": "long int",
    "int32": "int",
    "int16": "short int",
    "int8": "signed char",
    "uint8": "unsigned char",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}


def c_name(dtype):
    return _C_NAMES.get(dtype.name, dtype.name)


def cpp_name(dtype):
    """What PyTorch's messages call a type."""
    return _CPP_NAMES.get(dtype.name, dtype.name)


BY_NAME = {
    t.name: t
    for t in (
        float64,
        float32,
        float16,
        bfloat16,
        int64,
        int32,
        int16,
        int8,
        uint8,
        bool,
        complex64,
        complex128,
    )
}


def _dtype_named(name):
    return BY_NAME[name]


_DEVICE_TYPES = (
    "cpu",
    "cuda",
    "ipu",
    "xpu",
    "mkldnn",
    "opengl",
    "opencl",
    "ideep",
    "hip",
    "ve",
    "fpga",
    "maia",
    "xla",
    "lazy",
    "vulkan",
    "mps",
    "meta",
    "hpu",
    "mtia",
    "privateuseone",
)


class device:
    """The name of a place where tensors live; here it is always the CPU."""

    __slots__ = ("type", "index")

    def __init__(self, type="cpu", index=None):
        if isinstance(type, device):
            type, index = type.type, type.index
        elif not isinstance(type, str):
            type, index = "cuda", type
        elif ":" in type:
            type, number = type.split(":")
            index = __builtins__["int"](number)
        if type not in _DEVICE_TYPES:
            raise RuntimeError(
                f"Expected one of {', '.join(_DEVICE_TYPES)} device type at start of device "
                f"string: {type}"
            )
        self.type = type
        self.index = index

    def __repr__(self):
        if self.index is None:
            return f"device(type='{self.type}')"
        return f"device(type='{self.type}', index={self.index})"

    def __str__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other):
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self):
        return hash((self.type, self.index))

    def __enter__(self):
        from ._devices import check

        from . import _meta

        check(self)
        _meta.enter(self)
        return self

    def __exit__(self, *exc):
        from . import _meta

        _meta.leave()
        return False


class Size(tuple):
    """A shape."""

    def numel(self):
        n = 1
        for size in self:
            n *= size
        return n

    def __repr__(self):
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __add__(self, other):
        return Size(tuple.__add__(self, tuple(other)))

    def __getitem__(self, key):
        item = tuple.__getitem__(self, key)
        return Size(item) if isinstance(key, slice) else item


class _Named:
    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return "torch." + self._name


strided = _Named("strided")
sparse_coo = _Named("sparse_coo")
sparse_csr = _Named("sparse_csr")
jagged = _Named("jagged")
contiguous_format = _Named("contiguous_format")
preserve_format = _Named("preserve_format")
channels_last = _Named("channels_last")
channels_last_3d = _Named("channels_last_3d")
per_tensor_affine = _Named("per_tensor_affine")


class finfo:
    """Limits of a floating-point type."""

    # The largest number, the share that a step is, the smallest normal number, a decimal step, bits.
    _LIMITS = {
        "float64": (1.7976931348623157e308, 2.0**-52, 2.0**-1022, 1e-15, 64),
        "float32": (3.4028234663852886e38, 2.0**-23, 2.0**-126, 1e-6, 32),
        "float16": (65504.0, 2.0**-10, 2.0**-14, 1e-3, 16),
        "bfloat16": (3.3895313892515355e38, 2.0**-7, 2.0**-126, 1e-2, 16),
        "float8_e4m3fn": (448.0, 0.125, 2.0**-6, 1.0, 8),
        "float8_e4m3fnuz": (240.0, 0.125, 2.0**-7, 1.0, 8),
        "float8_e5m2": (57344.0, 0.25, 2.0**-14, 1.0, 8),
        "float8_e5m2fnuz": (57344.0, 0.25, 2.0**-15, 1.0, 8),
        "float8_e8m0fnu": (2.0**127, 1.0, 2.0**-127, 1.0, 8),
    }

    def __init__(self, type=None):
        name = (type or float32).to_real().name
        if name not in self._LIMITS:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                "'torch.finfo'"
            )
        self.max, self.eps, self.tiny, self.resolution, self.bits = self._LIMITS[name]
        # Powers of two alone have no sign.
        self.min = self.tiny if name == "float8_e8m0fnu" else -self.max
        self.smallest_normal = self.tiny
        self.dtype = name


class iinfo:
    """Limits of an integer type."""

    def __init__(self, type):
        if type is bool:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        if type.is_floating_point or type.is_complex:
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle "
                "'torch.iinfo'"
            )
        self.bits = type.itemsize * 8
        self.max = 2 ** (self.bits - 1) - 1 if type.is_signed else 2**self.bits - 1
        self.min = -(2 ** (self.bits - 1)) if type.is_signed else 0
        self.dtype = type.name


# What a type of Python means in the place of a dtype.
PYTHON_TYPES = {
    builtins.float: float64,
    builtins.int: int64,
    builtins.bool: bool,
    builtins.complex: complex128,
}

"""torch.Tensor: an id of the host, with PyTorch's methods and operators."""

from . import _call, _dtypes
from ._call import call, composite
from ._devices import check as check_device
from ._devices import refuse_cuda
from ._host import host, site
from ._table import TABLE


class Tensor:
    """The host knows type, shape, storage and value; this object is the user's handle on it."""

    def __init__(self, *args, **kwargs):
        pass

    def __new__(cls, *args, **kwargs):
        from ._factories import legacy_tensor

        return legacy_tensor(cls, args, kwargs)

    def __del__(self):
        if "_id" in self.__dict__:
            host.release(self._id)

    # What a tensor is

    @property
    def shape(self):
        text = host.shape(self._id)
        return _dtypes.Size(map(int, text.split(","))) if text else _dtypes.Size()

    def size(self, dim=None):
        shape = self.shape
        if dim is None:
            return shape
        if not -len(shape) <= dim < max(len(shape), 1):
            n = max(len(shape), 1)
            raise IndexError(
                f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})"
            )
        return shape[dim]

    def dim(self):
        return len(self.shape)

    ndimension = dim

    @property
    def ndim(self):
        return len(self.shape)

    def numel(self):
        return self.shape.numel()

    nelement = numel

    def __len__(self):
        shape = self.shape
        if not shape:
            raise TypeError("len() of a 0-d tensor")
        return shape[0]

    @property
    def dtype(self):
        return _dtypes.BY_NAME[host.dtype(self._id)]

    def type(self, dtype=None, non_blocking=False):
        if dtype is None:
            from ._factories import legacy_type_name

            return legacy_type_name(self.dtype)
        if isinstance(dtype, str):
            from ._factories import dtype_of_legacy_name

            dtype = dtype_of_legacy_name(dtype)
        elif isinstance(dtype, type):
            dtype = getattr(dtype, "_dtype", dtype)
        return call("to:type", (self, dtype), {})

    def to_sparse(self, *args, **kwargs):
        """The same elements: a layout is not kept here."""
        return self

    to_dense = coalesce = to_sparse

    @property
    def device(self):
        return self.__dict__.get("_device") or _dtypes.device("cpu")

    layout = _dtypes.strided
    is_cuda = is_sparse = is_quantized = is_meta = is_mkldnn = is_mps = is_xpu = False
    is_cpu = True
    names = ()

    def get_device(self):
        return -1

    def is_floating_point(self):
        return self.dtype.is_floating_point

    def is_complex(self):
        return self.dtype.is_complex

    def is_signed(self):
        return self.dtype.is_signed

    def element_size(self):
        return self.dtype.itemsize

    itemsize = property(element_size)

    @property
    def nbytes(self):
        return self.numel() * self.element_size()

    def stride(self, dim=None):
        text = host.strides(self._id)
        strides = tuple(map(int, text.split(","))) if text else ()
        return strides if dim is None else strides[dim]

    def storage_offset(self):
        return host.storage_offset(self._id)

    def is_contiguous(self, memory_format=None):
        return host.is_contiguous(self._id)

    def data_ptr(self):
        return host.data_ptr(self._id)

    @property
    def _version(self):
        return host.version(self._id)

    # Autograd

    @property
    def requires_grad(self):
        return host.requires_grad(self._id)

    @requires_grad.setter
    def requires_grad(self, value):
        type(self).requires_grad_.__wrapped__(self, value)

    @composite("requires_grad_")
    def requires_grad_(self, requires_grad=True):
        if requires_grad and not (self.dtype.is_floating_point or self.dtype.is_complex):
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if not self.is_leaf and not requires_grad:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed "
                "variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        host.set_requires_grad(self._id, bool(requires_grad))
        return self

    @property
    def is_leaf(self):
        return host.is_leaf(self._id)

    @property
    def grad_fn(self):
        return None if self.is_leaf else _GradFn()

    @property
    def grad(self):
        return self.__dict__.get("_grad")

    @grad.setter
    def grad(self, value):
        self.__dict__["_grad"] = value

    def retain_grad(self):
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")

    @property
    def data(self):
        return call("data:__get__", (self,), {})

    @data.setter
    def data(self, other):
        set_data(self, other)

    def detach_(self):
        host.detach_in_place(self._id)
        return self

    def register_hook(self, hook):
        from . import _hooks

        return _hooks.on_gradient(self, hook)

    def register_post_accumulate_grad_hook(self, hook):
        from . import _hooks

        return _hooks.after_accumulation(self, hook)

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        from . import _hooks

        _hooks.backward(self, gradient)

    # Numbers

    def item(self):
        if self.numel() != 1:
            raise RuntimeError(
                f"a Tensor with {self.numel()} elements cannot be converted to Scalar"
            )
        return self._numbers("item")[0]

    def _numbers(self, why):
        """All elements, row-major, as Python numbers: computed at once where only the graph knows them."""
        text = host.numbers(self._id, site(), why)
        dtype = self.dtype
        items = text.split(",") if text else []
        if dtype.is_complex:
            flat = list(map(float, items))
            return [complex(re, im) for re, im in zip(flat[::2], flat[1::2])]
        if dtype.name == "bool":
            return [item == "1" for item in items]
        return list(map(float if dtype.is_floating_point else int, items))

    def tolist(self):
        flat = self._numbers("tolist")
        return _nested(flat, self.shape)

    def __bool__(self):
        if self.numel() != 1:
            if self.numel() == 0:
                raise RuntimeError("Boolean value of Tensor with no values is ambiguous")
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        return bool(self._numbers("bool")[0])

    def __int__(self):
        return int(self.item())

    def __float__(self):
        return float(self.item())

    def __complex__(self):
        return complex(self.item())

    def __index__(self):
        if self.dtype.is_floating_point or self.numel() != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def __format__(self, spec):
        if self.dim() == 0:
            return format(self.item(), spec)
        return object.__format__(repr(self), spec) if spec else repr(self)

    def __repr__(self):
        from ._printing import tensor_text

        return tensor_text(self)

    def __getattr__(self, name):
        from ._unsupported import missing_attribute

        raise missing_attribute(self, name)

    def numpy(self, *, force=False):
        from ._numpy import to_numpy

        return to_numpy(self, force)

    def __array__(self, dtype=None):
        from ._numpy import to_numpy

        return to_numpy(self, True)

    # Python's protocols

    def __iter__(self):
        if self.dim() == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __contains__(self, item):
        return bool((self == item).any())

    def __getitem__(self, key):
        return call("__getitem__", (self, key if type(key) is tuple else (key,)), {})

    def __setitem__(self, key, value):
        call("__setitem__", (self, key if type(key) is tuple else (key,), value), {})

    def __hash__(self):
        return id(self)

    def __deepcopy__(self, memo):
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol "
                "at the moment."
            )
        if id(self) in memo:
            return memo[id(self)]
        copied = call("fresh", (self,), {})
        copied = memo[id(self)] = copied._become(type(self))
        copied.requires_grad_(self.requires_grad)
        return copied

    def _become(self, cls):
        """The same tensor under a subclass."""
        if cls is not Tensor and type(self) is Tensor:
            self.__class__ = cls
        return self

    def as_subclass(self, cls):
        return self.detach()._become(cls)

    # Where it lives changes nothing

    def to(self, *args, **kwargs):
        for arg in args:
            if type(arg) in (str, int):
                check_device(arg)
        return call("to", (self, *args), kwargs)

    @composite("cpu")
    def cpu(self, *args, **kwargs):
        return self

    cuda = xpu = pin_memory = refuse_cuda

    def share_memory_(self):
        return self

    def is_shared(self):
        return False

    def is_pinned(self):
        return False

    def record_stream(self, stream):
        pass

    @property
    def T(self):
        return call("permute:__get__", (self, range(self.dim() - 1, -1, -1)), {})

    @property
    def mT(self):
        return call("transpose:__get__", (self, -2, -1), {})

    @property
    def H(self):
        return self.mH

    @property
    def mH(self):
        turned = call("transpose:__get__", (self, -2, -1), {})
        return call("conj:__get__", (turned,), {}) if self.is_complex() else turned

    @property
    def real(self):
        return call("real:__get__", (self,), {})

    @property
    def imag(self):
        return call("imag:__get__", (self,), {})

    def copy_(self, src, non_blocking=False):
        return call("copy_", (self, src), {})

    def zero_(self):
        return call("zero_", (self,), {})

    @composite("new_tensor")
    def new_tensor(self, data, dtype=None, device=None, requires_grad=False):
        from ._factories import tensor

        return tensor(data, dtype=dtype or self.dtype, requires_grad=requires_grad)

    def new(self, *args, **kwargs):
        from ._factories import legacy_tensor

        return legacy_tensor(Tensor, args, {}, self.dtype)

    def resize_(self, *size, memory_format=None):
        set_data(self, self.new_empty(*size))
        return self

    def set_(self, source):
        set_data(self, source)
        return self

    def apply_(self, function):
        flat = [function(x) for x in self._numbers("apply_")]
        return self.copy_(self.new_tensor(flat).reshape(self.shape))

    def untyped_storage(self):
        return _Storage(self)

    storage = untyped_storage

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


class _GradFn:
    """Something is there: what a test for `grad_fn is None` asks."""

    next_functions = ()

    def name(self):
        return "Backward"


class _Storage:
    def __init__(self, tensor):
        self._tensor = tensor

    def data_ptr(self):
        return self._tensor.data_ptr()

    def size(self):
        return self._tensor.numel()

    def nbytes(self):
        return self._tensor.nbytes


def _nested(flat, shape):
    if not shape:
        return flat[0]
    if len(shape) == 1:
        return flat
    step = len(flat) // shape[0] if shape[0] else 0
    return [_nested(flat[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]


def set_data(tensor, source):
    """`tensor` becomes a window on what `source` shows; both must be alive until the host has done it."""
    host.set_data(tensor._id, source._id)


def wrap(id):
    """The handle on a tensor of the host."""
    tensor = object.__new__(Tensor)
    tensor._id = id
    return tensor


_call.wrap = wrap


def _operator(key, reflected=False):
    def method(self, other):
        if not _is_operand(other):
            return NotImplemented
        return call(key, (other, self) if reflected else (self, other), {})

    return method


def _is_operand(other):
    return isinstance(other, (int, float, complex, Tensor)) or hasattr(other, "__torch_tensor__") or (
        hasattr(other, "__float__")
    )


def _unary(key):
    return lambda self: call(key, (self,), {})


def _in_place(key):
    return lambda self, other: call(key, (self, other), {})


# Operator: the call that it makes. Behind the colon the name that PyTorch gives it, where it is not the call's.
_BINARY = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "mod": "remainder", "matmul": "matmul",
    "floordiv": "floor_divide:__floordiv__", "pow": "pow:__pow__", "and": "bitwise_and:__and__",
    "or": "bitwise_or:__or__", "xor": "bitwise_xor:__xor__", "lshift": "bitwise_left_shift:__lshift__",
    "rshift": "bitwise_right_shift:__rshift__",
}
_REFLECTED = {
    "add": "add", "mul": "mul", "truediv": "div:__rtruediv__", "mod": "remainder:__rmod__",
    "matmul": "matmul", "floordiv": "floor_divide:__rfloordiv__", "pow": "pow:__rpow__",
    "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift:__rlshift__", "rshift": "bitwise_right_shift:__rrshift__",
}
_IN_PLACE = {
    "add": "add_", "sub": "sub_", "mul": "mul_", "truediv": "div_", "mod": "remainder_",
    "floordiv": "floor_divide_", "pow": "pow_:__ipow__", "and": "bitwise_and_:__iand__",
    "or": "bitwise_or_:__ior__", "xor": "bitwise_xor_:__ixor__",
    "lshift": "bitwise_left_shift_:__ilshift__", "rshift": "bitwise_right_shift_:__irshift__",
}
for _name, _key in _BINARY.items():
    setattr(Tensor, f"__{_name}__", _operator(_key))
for _name, _key in _REFLECTED.items():
    setattr(Tensor, f"__r{_name}__", _operator(_key, reflected=True))
for _name, _key in _IN_PLACE.items():
    setattr(Tensor, f"__i{_name}__", _in_place(_key))
for _name, _key in {"eq": "eq:__eq__", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge"}.items():
    setattr(Tensor, f"__{_name}__", _operator(_key))
Tensor.__rsub__ = _operator("rsub:__rsub__")
Tensor.__neg__ = _unary("neg")
Tensor.__pos__ = lambda self: self
Tensor.__abs__ = _unary("abs")
Tensor.__invert__ = _unary("bitwise_not:__invert__")

_methods = {}
_call.expose(_methods, TABLE, "Tensor")
for _name, _method in _methods.items():
    if _name not in Tensor.__dict__:
        setattr(Tensor, _name, _method)


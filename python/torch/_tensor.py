"""torch.Tensor: an id of the host, with PyTorch's methods and operators."""

import weakref

from . import _call, _dtypes, _meta
from ._assigned_grads import check_assigned
from ._call import call, composite
from ._grad_functions import node_of
from ._grad_mode import is_inference_mode_enabled
from ._host import host
from ._operators import bind_operators
from ._placed import Placed
from ._read_only import read_only
from ._storage import Storage
from ._table import TABLE
from ._tensor_numbers import Numbers

# Tensors that gradients may be left in, by their ids.
leaves = weakref.WeakValueDictionary()


class Tensor(Numbers, Placed):
    """The host knows type, shape, storage and value; this object is the user's handle on it."""

    __module__ = "torch"

    def __init__(self, *args, **kwargs):
        pass

    def __new__(cls, *args, **kwargs):
        from ._factories import legacy_tensor

        return legacy_tensor(cls, args, kwargs)

    def __del__(self):
        if "_id" in self.__dict__:
            host.release(self._id)

    # What a tensor is

    @read_only
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

    @read_only
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

    @read_only
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

    layout = _dtypes.strided
    is_cuda = is_sparse = is_nested = is_quantized = is_mkldnn = is_mps = is_xpu = False

    def is_floating_point(self):
        return self.dtype.is_floating_point

    def is_complex(self):
        return self.dtype.is_complex

    def is_signed(self):
        return self.dtype.is_signed

    def element_size(self):
        return self.dtype.itemsize

    @read_only
    def itemsize(self):
        return self.element_size()

    @read_only
    def nbytes(self):
        return self.numel() * self.element_size()

    def stride(self, dim=None):
        text = host.strides(self._id)
        strides = tuple(map(int, text.split(","))) if text else ()
        return strides if dim is None else strides[dim]

    def storage_offset(self):
        return host.storage_offset(self._id)

    def is_contiguous(self, memory_format=_dtypes.contiguous_format):
        return host.lies_in(self._id, memory_format._name)

    @read_only
    def _base(self):
        from ._bases import base_of

        return base_of(self)

    def _is_view(self):
        return host.base(self._id) != 0

    def data_ptr(self):
        return host.data_ptr(self._id)

    @read_only
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
        if requires_grad and host.is_inference(self._id) and not is_inference_mode_enabled():
            raise RuntimeError(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
            )
        host.set_requires_grad(self._id, bool(requires_grad))
        leaves[self._id] = self
        return self

    @read_only
    def is_leaf(self):
        return host.is_leaf(self._id)

    @read_only
    def grad_fn(self):
        return None if self.is_leaf else node_of(self.__dict__.get("_maker", "Backward0"))

    @property
    def grad(self):
        return self.__dict__.get("_grad")

    @grad.setter
    def grad(self, value):
        if value is not None:
            check_assigned(self, value)
        self.__dict__["_grad"] = value
        self.__dict__.pop("_accumulates", None)

    def retain_grad(self):
        from ._hooks import retain

        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if not self.is_leaf and not self.retains_grad:
            retain(self)

    @property
    def retains_grad(self):
        return self.__dict__.get("_retains", False)

    @property
    def data(self):
        return call("data:__get__", (self,), {})

    @data.setter
    def data(self, other):
        if not isinstance(other, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(other).__name__}")
        if _meta.is_marked(self) != _meta.is_marked(other):
            raise RuntimeError(
                "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have "
                "incompatible tensor type."
            )
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
        from ._gradients import backward

        backward(self, gradient, retain_graph, create_graph, inputs)

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
        if key is False:
            return
        call("__setitem__", (self, key if type(key) is tuple else (key,), value), {})

    def __hash__(self):
        return id(self)

    def __deepcopy__(self, memo):
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol "
                "at the moment.  If you were attempting to deepcopy a module, this may be because of a "
                "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
            )
        if id(self) in memo:
            return memo[id(self)]
        copied = call("fresh", (self,), {})
        copied = memo[id(self)] = copied._become(type(self))
        copied.requires_grad_(self.requires_grad)
        return copied

    def __copy__(self):
        copied = self.data._become(type(self))
        return copied.requires_grad_(self.requires_grad)

    def __reduce_ex__(self, protocol):
        from ._archives import reduced

        return reduced(self)

    def _become(self, cls):
        """The same tensor under a subclass."""
        if cls is not Tensor and type(self) is Tensor:
            self.__class__ = cls
        return self

    def as_subclass(self, cls):
        return self.detach()._become(cls)

    @read_only
    def T(self):
        return call("permute:__get__", (self, range(self.dim() - 1, -1, -1)), {})

    @read_only
    def mT(self):
        if self.dim() == 0:
            return self
        if self.dim() < 2:
            raise RuntimeError(
                "tensor.mT is only supported on matrices or batches of matrices. "
                f"Got {self.dim()}-D tensor."
            )
        return call("transpose:__get__", (self, -2, -1), {})

    @read_only
    def H(self):
        if self.dim() not in (0, 2):
            raise RuntimeError(
                f"tensor.H is only supported on matrices (2-D tensors). Got {self.dim()}-D tensor."
            )
        return self.mH

    @read_only
    def mH(self):
        if self.dim() == 1:
            raise RuntimeError(
                "tensor.mH is only supported on matrices or batches of matrices. Got 1-D tensor."
            )
        if self.dim() == 0:
            return call("conj:__get__", (self,), {}) if self.is_complex() else self
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

    @composite("new")
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
        return Storage(self, 1)

    def storage(self):
        return Storage(self, self.element_size())

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def set_data(tensor, source):
    """`tensor` becomes a window on what `source` shows; both must be alive until the host has done it."""
    host.set_data(tensor._id, source._id)


def wrap(id):
    """The handle on a tensor of the host."""
    tensor = object.__new__(Tensor)
    tensor._id = id
    return tensor


_call.wrap = wrap


bind_operators(Tensor)
_methods = {}
_call.expose(_methods, TABLE, "Tensor")
for _name, _method in _methods.items():
    if not hasattr(Tensor, _name):
        setattr(Tensor, _name, _method)

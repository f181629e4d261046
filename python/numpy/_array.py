"""numpy.ndarray: an array that shares its memory with a tensor of the host."""

import torch
from torch._call import call
from torch._tensor import Tensor

from . import _types
from ._types import dtype as make_dtype
from ._types import generic


def host(name, *args, **options):
    """A call of the host that is none of torch's."""
    return call(name + ":__get__", args, options)


class ndarray:
    """`_tensor` has the numbers; element types and their promotion are numpy's."""

    __array_priority__ = 0.0

    def __init__(self, tensor):
        self._tensor = tensor

    def __torch_tensor__(self):
        return host("alias", self._tensor)

    @property
    def dtype(self):
        return _types.of_torch(self._tensor.dtype)

    @property
    def shape(self):
        return tuple(self._tensor.shape)

    @shape.setter
    def shape(self, sizes):
        self._tensor = host("view", self._tensor, sizes)

    @property
    def ndim(self):
        return self._tensor.dim()

    @property
    def size(self):
        return self._tensor.numel()

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.size * self.itemsize

    @property
    def strides(self):
        """In bytes."""
        return tuple(stride * self.itemsize for stride in self._tensor.stride())

    @property
    def T(self):
        return self.transpose()

    @property
    def flat(self):
        return iter(self.ravel())

    @property
    def real(self):
        return ndarray(self._tensor.real) if self.dtype.kind == "c" else self

    @property
    def imag(self):
        return ndarray(self._tensor.imag) if self.dtype.kind == "c" else self * 0

    # Numbers

    def item(self, *index):
        chosen = self[index if len(index) > 1 else index[0]] if index else self
        return chosen._tensor.item() if isinstance(chosen, ndarray) else chosen

    def tolist(self):
        return self._tensor.tolist()

    def tobytes(self):
        import array

        codes = {
            "float64": "d",
            "float32": "f",
            "int64": "q",
            "int32": "i",
            "uint8": "B",
            "int8": "b",
        }
        return array.array(codes[self.dtype.name], self.ravel().tolist()).tobytes()

    def __bool__(self):
        if self.size != 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() "
                "or a.all()"
            )
        return bool(self._tensor.item())

    def __int__(self):
        return int(self._tensor.item())

    def __float__(self):
        return float(self._tensor.item())

    def __complex__(self):
        return complex(self._tensor.item())

    def __index__(self):
        return self._tensor.__index__()

    def __len__(self):
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __contains__(self, value):
        return bool((self == value).any())

    def __repr__(self):
        from ._text import array_repr

        return array_repr(self)

    def __str__(self):
        from ._text import array_str

        return array_str(self)

    def __format__(self, spec):
        return format(self.item(), spec) if self.ndim == 0 else str(self)

    __hash__ = None

    def __array__(self, dtype=None, copy=None):
        return self

    # Types and copies

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        wanted = make_dtype(dtype)
        if wanted is self.dtype:
            return self.copy() if copy else self
        return ndarray(host("to", self._tensor, wanted.torch))

    def copy(self, order="C"):
        return ndarray(host("clone", self._tensor))

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def view(self, dtype=None):
        return ndarray(host("alias", self._tensor))

    # Indexing

    def __getitem__(self, key):
        taken, backwards = _index(key)
        found = host("__getitem__", self._tensor, taken)
        for axis in backwards:
            found = host("flip", found, (axis,))
        return _scalar_or_array(found)

    def __setitem__(self, key, value):
        taken, backwards = _index(key)
        if backwards:
            raise torch.UnsupportedCall(
                "numpy: assignment to a slice with a negative step is not supported"
            )
        value = (
            value
            if isinstance(value, (int, float, complex))
            else array(value, dtype=self.dtype)._tensor
        )
        call("__setitem__:__get__", (self._tensor, taken, value), {})

    def fill(self, value):
        call("fill_:__get__", (self._tensor, value), {})


def _index(key):
    """The key with tensors for arrays, and the axes of the result that run backwards."""
    keys = key if type(key) is tuple else (key,)
    taken, backwards = [], []
    for part in keys:
        if isinstance(part, ndarray):
            part = part._tensor
        elif isinstance(part, list):
            part = array(part)._tensor
        elif isinstance(part, slice) and part.step is not None and part.step < 0:
            if part.step != -1 or part.start is not None or part.stop is not None:
                raise torch.UnsupportedCall("numpy: slices with a negative step other than [::-1]")
            if any(part is Ellipsis for part in taken):
                raise torch.UnsupportedCall("numpy: [..., ::-1] is not supported")
            backwards.append(sum(1 for t in taken if t is None or isinstance(t, slice)))
            part = slice(None)
        taken.append(part)
    return tuple(taken), backwards


def _scalar_or_array(tensor):
    if tensor.dim() > 0:
        return ndarray(tensor)
    return _types.of_torch(tensor.dtype).type(tensor._numbers("numpy")[0])


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0):  # noqa: A002
    """A new array of the numbers in nested sequences, arrays or tensors."""
    wanted = None if dtype is None else make_dtype(dtype)
    if isinstance(object, (ndarray, Tensor)):
        source = (object if isinstance(object, ndarray) else to_numpy(object, False))._tensor
        made = host("clone", source) if copy else source
    else:
        made = _from_sequence(object, wanted)
    if wanted is not None and made.dtype is not wanted.torch:
        made = host("to", made, wanted.torch)
    while made.dim() < ndmin:
        made = host("unsqueeze", made, 0)
    return ndarray(made)


def _from_sequence(value, wanted):
    from torch._factories import _flatten, _from_flat

    if hasattr(value, "__iter__") and not hasattr(value, "__len__"):
        value = list(value)
    flat = []
    shape = _flatten(value, flat, 0)
    return _from_flat(flat, shape, (wanted or _type_of(flat)).torch)


def _type_of(flat):
    """What numpy makes of these numbers: typed ones among them count, Python's are the widest."""
    found = None
    for cls in {type(x) for x in flat}:
        own = make_dtype(cls) if issubclass(cls, (generic, bool, int, float, complex)) else None
        if own is not None:
            found = own if found is None else _types.promote(found, own)
    return found or make_dtype("float64")


def asarray(a, dtype=None, order=None, *, copy=None):
    if isinstance(a, ndarray) and (dtype is None or make_dtype(dtype) is a.dtype):
        return a
    return array(a, dtype=dtype, copy=bool(copy))


def to_numpy(tensor, force):
    """Tensor.numpy(): the same memory."""
    if tensor.requires_grad:
        if not force:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() "
                "instead."
            )
        tensor = tensor.detach()
    if tensor.dtype is torch.bfloat16:
        raise TypeError("Got unsupported ScalarType BFloat16")
    return ndarray(host("alias", tensor))

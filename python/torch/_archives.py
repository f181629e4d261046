"""What a run saves and may load again: pickles whose tensors stay with the run.

An archive is `MAGIC` and a pickle; a tensor in it is the number of a copy that was made when it was
saved. Tensors of one storage are of one storage again when they are loaded.
"""

import io
import pickle

from ._call import call
from ._grad_mode import no_grad
from ._tensor import Tensor

MAGIC = b"normscope archive\n"

# Copies of whole storages; what was saved names them by their places here.
_kept = []

# What a load of weights alone takes beside tensors and plain values.
_PLAIN = {
    ("collections", "OrderedDict"),
    ("collections", "defaultdict"),
    ("collections", "Counter"),
    ("builtins", "set"),
    ("builtins", "complex"),
    ("builtins", "bytearray"),
    ("builtins", "dict"),
    ("torch._dtypes", "Size"),
    ("torch._dtypes", "device"),
    ("torch._dtypes", "_dtype_named"),
    ("copyreg", "__newobj__"),
}


def written(value, protocol):
    """The bytes of an archive."""
    buffer = io.BytesIO()
    buffer.write(MAGIC)
    _Pickler(buffer, protocol).dump(value)
    return buffer.getvalue()


def read(data, safe):
    """The value of an archive. `safe`: what is taken beside weights; None: whatever there is."""
    return _Unpickler(io.BytesIO(data[len(MAGIC) :]), safe).load()


def reduced(tensor):
    """What Python's own pickle keeps of a tensor."""
    return _restored, (_described(tensor, {}),)


def _restored(described):
    return _Reader().tensor(described)


class _Pickler(pickle.Pickler):
    def __init__(self, file, protocol):
        super().__init__(file, protocol)
        self._storages = {}
        # By their numbers, so that none is another's while this lasts.
        self._tensors = {}

    def persistent_id(self, value):
        if not isinstance(value, Tensor):
            return None
        self._tensors[id(value)] = value
        return id(value), _described(value, self._storages)


def _described(tensor, storages):
    """A tensor as plain values; `storages` has the places of those that were kept already."""
    key = (tensor.untyped_storage().data_ptr(), tensor.dtype)
    if key not in storages:
        storages[key] = len(_kept)
        _kept.append(_copy_of_storage(tensor))
    attributes = {name: held for name, held in vars(tensor).items() if not name.startswith("_")}
    shape, laid = tuple(tensor.shape), (tensor.stride(), tensor.storage_offset())
    return storages[key], shape, laid, type(tensor), tensor.requires_grad, attributes


def _copy_of_storage(tensor):
    with no_grad():
        whole = tensor.detach()
        length = tensor.storage().size()
        if whole.numel() != length or not whole.is_contiguous():
            whole = whole.as_strided((length,), (1,), 0)
        return call("fresh", (whole,), {})


class _Reader:
    """Makes tensors of one archive."""

    def __init__(self):
        self._storages = {}

    def tensor(self, described):
        at, shape, (strides, offset), cls, requires_grad, attributes = described
        if at not in self._storages:
            self._storages[at] = call("fresh", (_kept[at],), {})
        base = self._storages[at]
        is_whole = tuple(base.shape) == shape and base.stride() == strides
        made = base.data if is_whole else base.as_strided(shape, strides, offset)
        made = _as_saved(made, cls, requires_grad)
        vars(made).update(attributes)
        return made


def _as_saved(tensor, cls, requires_grad):
    from .nn.parameter import Parameter

    if issubclass(cls, Parameter):
        return cls(tensor, requires_grad)
    made = tensor._become(cls)
    return made.requires_grad_() if requires_grad else made


class _Unpickler(pickle.Unpickler):
    def __init__(self, file, safe):
        super().__init__(file)
        self._safe = safe
        self._reader = _Reader()
        self._made = {}

    def persistent_load(self, saved):
        identity, described = saved
        if identity not in self._made:
            self._made[identity] = self._reader.tensor(described)
        return self._made[identity]

    def find_class(self, module, name):
        found = super().find_class(module, name)
        is_tensor = isinstance(found, type) and issubclass(found, Tensor)
        if self._safe is None or (module, name) in _PLAIN or found in self._safe or is_tensor:
            return found
        raise pickle.UnpicklingError(
            f"Weights only load failed. Unsupported global: GLOBAL {module}.{name} was not an allowed "
            "global by default: load with weights_only=False, or name it with "
            "torch.serialization.add_safe_globals"
        )

"""torch.* functions that are written in Python of others."""

from . import _dtypes, _meta
from ._call import call, composite
from ._devices import check as check_device
from ._host import host
from ._tensor import Tensor

__all__ = [
    "broadcast_tensors",
    "compile",
    "is_complex",
    "is_floating_point",
    "is_tensor",
    "is_storage",
    "meshgrid",
    "numel",
    "promote_types",
    "result_type",
    "typename",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "cartesian_prod",
    "block_diag",
    "use_deterministic_algorithms",
    "set_num_threads",
    "get_num_threads",
    "set_float32_matmul_precision",
    "get_float32_matmul_precision",
    "broadcast_shapes",
    "is_nonzero",
    "equal",
    "allclose",
    "Tensor",
    "can_cast",
    "are_deterministic_algorithms_enabled",
    "set_default_device",
    "get_default_device",
    "set_default_tensor_type",
    "is_same_size",
    "combinations",
    "get_num_interop_threads",
    "set_num_interop_threads",
    "set_flush_denormal",
    "set_warn_always",
    "is_warn_always_enabled",
    "set_deterministic_debug_mode",
    "is_inference",
    "is_conj",
    "is_neg",
    "is_distributed",
    "sym_int",
    "split_with_sizes_copy",
    "_assert",
]


def is_tensor(obj):
    return isinstance(obj, Tensor)


def is_storage(obj):
    return False


def is_floating_point(input):
    return input.is_floating_point()


def is_complex(input):
    return input.is_complex()


def is_nonzero(input):
    return bool(input)


def is_same_size(input, other):
    return input.shape == other.shape


def numel(input):
    return input.numel()


def typename(obj):
    if isinstance(obj, Tensor):
        return obj.type()
    named = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(named, "__module__", None) or ""
    is_builtin = module in ("", "builtins")
    return named.__qualname__ if is_builtin else f"{module}.{named.__qualname__}"


def sym_int(x):
    return int(x)


def refuse_numbers(name, **arguments):
    """The arguments of the call `name`, in their order, are tensors."""
    for at, (key, given) in enumerate(arguments.items(), 1):
        if not isinstance(given, Tensor):
            raise TypeError(
                f"{name}(): argument '{key}' (position {at}) must be Tensor, not "
                f"{type(given).__name__}"
            )


@composite("equal")
def equal(input, other):
    refuse_numbers("equal", input=input, other=other)
    return input.shape == other.shape and bool((input == other).all())


@composite("_is_all_true")
def _is_all_true(input):
    return input.all()


@composite("allclose")
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    refuse_numbers("allclose", input=input, other=other)
    return bool(
        call("isclose", (input, other), {"rtol": rtol, "atol": atol, "equal_nan": equal_nan}).all()
    )


def broadcast_shapes(*shapes):
    shapes = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    rank = max(map(len, shapes), default=0)
    result = []
    for axis in range(-rank, 0):
        sizes = {s[axis] for s in shapes if len(s) >= -axis} - {1}
        if len(sizes) > 1:
            raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape")
        result.append(sizes.pop() if sizes else 1)
    return _dtypes.Size(result)


def _listed(tensors):
    return (
        list(tensors[0])
        if len(tensors) == 1 and isinstance(tensors[0], (list, tuple))
        else list(tensors)
    )


@composite("broadcast_tensors")
def broadcast_tensors(*tensors):
    tensors = _listed(tensors)
    shape = broadcast_shapes(*(t.shape for t in tensors))
    return tuple(t if t.shape == shape else t.expand(shape) for t in tensors)


@composite("meshgrid")
def meshgrid(*tensors, indexing="ij"):
    tensors = _listed(tensors)
    for tensor in tensors:
        if tensor.dim() > 1:
            raise RuntimeError(
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {tensor}"
            )
    tensors = [t.reshape(-1) for t in tensors]
    if indexing == "xy" and len(tensors) > 1:
        return tuple(grid.transpose(0, 1) for grid in _grid(tensors))
    return _grid(tensors)


def _grid(tensors):
    if any(tensor.dtype != tensors[0].dtype for tensor in tensors):
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    shape = [t.shape[0] for t in tensors]
    return tuple(
        t.view([-1 if axis == i else 1 for axis in range(len(tensors))]).expand(shape)
        for i, t in enumerate(tensors)
    )


def _need_vector(tensor):
    if tensor.dim() != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(tensor.shape)}")


@composite("cartesian_prod")
def cartesian_prod(*tensors):
    if len(tensors) == 1:
        _need_vector(tensors[0])
        return tensors[0]
    from . import stack

    for tensor in tensors:
        _need_vector(tensor)
    return stack([grid.reshape(-1) for grid in _grid(tensors)], dim=1)


@composite("combinations")
def combinations(input, r=2, with_replacement=False):
    from itertools import combinations as plain, combinations_with_replacement as repeated

    _need_vector(input)
    picks = (repeated if with_replacement else plain)(range(input.shape[0]), r)
    index = [list(pick) for pick in picks]
    if index:
        return input[index]
    return input[call("zeros", ((0, r),), {"dtype": _dtypes.int64})]


@composite("block_diag")
def block_diag(*tensors):
    from . import cat

    tensors = [t.reshape(1, -1) if t.dim() < 2 else t for t in tensors]
    width = sum(t.shape[1] for t in tensors)
    rows, left = [], 0
    for t in tensors:
        before = t.new_zeros(t.shape[0], left)
        left += t.shape[1]
        rows.append(cat([before, t, t.new_zeros(t.shape[0], width - left)], dim=1))
    return cat(rows, dim=0)


def _at_least(rank):
    @composite(f"atleast_{rank}d")
    def function(*tensors):
        given = _listed(tensors)
        raised = tuple(_raise_rank(t, rank) for t in given)
        return raised[0] if len(tensors) == 1 and isinstance(tensors[0], Tensor) else raised

    function.__name__ = f"atleast_{rank}d"
    return function


def _raise_rank(t, rank):
    if t.dim() >= rank:
        return t
    if t.dim() == 0:
        return t.reshape((1,) * rank)
    if rank == 2:
        return t.unsqueeze(0)
    return t.unsqueeze(0).unsqueeze(-1) if t.dim() == 1 else t.unsqueeze(-1)


atleast_1d, atleast_2d, atleast_3d = _at_least(1), _at_least(2), _at_least(3)


def promote_types(type1, type2):
    return _dtypes.BY_NAME[host.promote_types(type1.name, type2.name)]


def can_cast(from_, to):
    rank = {"bool": 0, "float": 2, "complex": 3}

    def kind(t):
        return (
            rank["complex" if t.is_complex else "float" if t.is_floating_point else t.name]
            if (t.is_complex or t.is_floating_point or t.name == "bool")
            else 1
        )

    return kind(from_) <= kind(to)


def result_type(tensor1, tensor2):
    sides = (tensor1, tensor2)
    return narrow_complex(*sides) or call("add", tuple(map(_empty_like, sides)), {}).dtype


def narrow_complex(*sides):
    """Half precision outranks complex numbers of fewer axes, and gives the complex type of its own."""
    low, high = sorted(sides, key=_rank)
    is_complex = low.is_complex() if isinstance(low, Tensor) else isinstance(low, complex)
    if not is_complex or _rank(low) == _rank(high):
        return None
    return _NARROW_COMPLEX.get(high.dtype)


_NARROW_COMPLEX = {_dtypes.float16: _dtypes.complex32, _dtypes.bfloat16: _dtypes.bcomplex32}


def _rank(side):
    """Of numbers 0, of tensors without axes 1, of others 2."""
    return min(side.dim(), 1) + 1 if isinstance(side, Tensor) else 0


def _empty_like(x):
    if not isinstance(x, Tensor):
        return x
    return x.new_zeros(()) if x.dim() == 0 else x.new_zeros((1,) * x.dim())


def compile(model=None, **options):
    """Runs as it is: compilation changes speed, not numbers."""
    if model is None:
        return lambda function: function
    return model


_settings = {"threads": 1, "precision": "highest", "deterministic": False}


def use_deterministic_algorithms(mode, *, warn_only=False):
    _settings["deterministic"] = bool(mode)


def are_deterministic_algorithms_enabled():
    return _settings["deterministic"]


def set_num_threads(n):
    _settings["threads"] = n


def get_num_threads():
    return _settings["threads"]


def set_float32_matmul_precision(precision):
    _settings["precision"] = precision


def get_float32_matmul_precision():
    return _settings["precision"]


def set_default_device(device):
    check_device(device)
    _meta.set_default(device)


def get_num_interop_threads():
    return 1


def set_num_interop_threads(n):
    pass


def set_flush_denormal(mode):
    return False


def set_warn_always(b):
    pass


def is_warn_always_enabled():
    return False


def set_deterministic_debug_mode(debug_mode):
    pass


def is_inference(input):
    return host.is_inference(input._id)


def is_conj(input):
    return host.lazy_sign(input._id) == "conj"


def is_neg(input):
    return host.lazy_sign(input._id) == "neg"


def is_distributed(input):
    return False


def get_default_device():
    return _meta.default()


def set_default_tensor_type(t):
    from ._factories import dtype_of_legacy_name, set_default_dtype

    set_default_dtype(dtype_of_legacy_name(t) if isinstance(t, str) else t._dtype)


def _assert(condition, message):
    """An assertion that compiled code keeps."""
    if not condition:
        raise AssertionError(message)


def split_with_sizes_copy(input, split_sizes, dim=0):
    return tuple(
        part.clone(memory_format=_dtypes.contiguous_format)
        for part in input.split(split_sizes, dim)
    )


Tensor.equal = equal
Tensor.allclose = allclose

"""The meta device: tensors of a shape and a type alone.

A meta tensor is a tensor of the host with a mark. What is computed of one is marked too, and what
would draw random numbers for one draws none; its own numbers nobody may read.
"""

from . import _call
from ._dtypes import device
from ._host import host

NO_DATA = "Cannot copy out of meta tensor; no data!"

# Calls that make a tensor of sizes and numbers alone.
_MAKERS = frozenset(
    "arange bartlett_window blackman_window empty eye full hamming_window hann_window linspace logspace "
    "normal ones rand randint randn randperm range scalar_tensor tril_indices triu_indices zeros".split()
)
# Calls that draw from the generator into a tensor that is there.
_DRAWN_INTO = frozenset(
    "bernoulli_ cauchy_ exponential_ geometric_ log_normal_ normal_ random_ trunc_normal_ uniform_".split()
)
_MIXING = frozenset(("__getitem__", "__setitem__", "embedding", "data:__get__"))

# The devices of `torch.set_default_device` and of every `with torch.device(...)` around what runs.
_defaults = []


def is_place(place):
    """Whether a device, or its name, is the meta device."""
    return place is not None and device(place).type == "meta"


def is_default():
    return bool(_defaults) and is_place(_defaults[-1])


def default():
    return _defaults[-1] if _defaults else device("cpu")


def enter(place):
    _defaults.append(place)


def leave():
    _defaults.pop()


def set_default(place):
    _defaults[:1] = [] if place is None else [device(place)]


def use():
    """From now on all calls ask whether what they take is marked; a count of shapes needs no marks."""
    if _call.instead is None:
        _call.instead = _instead


def is_used():
    return _call.instead is _instead


def is_marked(value):
    return "_is_meta" in getattr(value, "__dict__", ())


def mark(made):
    """Marks a tensor, or those of a tuple."""
    for tensor in _tensors(made):
        tensor.__dict__["_is_meta"] = True
    return made


def refuse_numbers(tensor, why):
    """Raises where the numbers of a marked tensor are asked for."""
    if not is_marked(tensor):
        return
    if why == "tolist":
        raise NotImplementedError(NO_DATA)
    raise RuntimeError("Tensor.item() cannot be called on meta tensors")


def make(name, args, kwargs):
    """A call with `device="meta"`."""
    return mark(_undrawn(name, args, {**kwargs, "device": None}))


def move(tensor, args, kwargs):
    """`tensor.to(…)` from or to the meta device; None where neither is."""
    places = [*args, *kwargs.values()]
    to_meta = any(is_marked(it) or _names_meta(it) for it in places)
    if to_meta and is_marked(tensor):
        return tensor.to(tensor.dtype if _dtype_of(places) is None else _dtype_of(places))
    if to_meta:
        made = _call.call("empty_like", (tensor,), {"dtype": _dtype_of(places)})
        return mark(made)
    if is_marked(tensor) and any(isinstance(it, (str, device)) for it in places):
        raise NotImplementedError(NO_DATA)
    return None


def _names_meta(value):
    return isinstance(value, (str, device)) and is_place(value)


def _dtype_of(values):
    from ._dtypes import dtype

    return next((it for it in values if isinstance(it, dtype)), None)


def _instead(name, args, kwargs):
    given = list(_tensors((*args, *kwargs.values())))
    if not any(map(is_marked, given)):
        if is_default() and name in _MAKERS and kwargs.get("device") is None:
            return make(name, args, kwargs)
        return None
    if name == "copy_":
        if not is_marked(args[0]):
            raise NotImplementedError(NO_DATA)
        return args[0]
    if name in _DRAWN_INTO:
        return args[0]
    if kwargs.get("device") is not None and not is_place(kwargs["device"]):
        return None
    _refuse_mixed(name, given)
    return mark(_undrawn(name, args, kwargs))


def _refuse_mixed(name, given):
    if name in _MIXING:
        return
    places = ["meta" if is_marked(it) else "cpu" for it in given if it.dim() or is_marked(it)]
    other = next((place for place in places if place != places[0]), None)
    if other is not None:
        first, second = ("cpu", "meta") if places[0] == "meta" else ("meta", "cpu")
        raise RuntimeError(f"Tensor on device {first} is not on the expected device {second}!")


def _undrawn(name, args, kwargs):
    """The host's call, after which the generator is where it was."""
    _call.instead = None
    draws = "rand" in name or name in ("normal", "bernoulli", "multinomial") or "dropout" in name
    state = host.rng_state(0) if draws else None
    try:
        return _call.call(name, args, kwargs)
    finally:
        if draws:
            host.set_rng_state(0, state)
            host.release(state)
        _call.instead = _instead


def _tensors(values):
    if hasattr(values, "_id"):
        yield values
    elif isinstance(values, (tuple, list)):
        for value in values:
            yield from _tensors(value)

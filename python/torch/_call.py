"""Torch calls: functions that PyTorch defines in C++ and the host defines in its table."""

import collections
import sys

from ._devices import check as check_device, is_meta as is_meta_device
from ._grad_functions import name_of
from ._host import encode, host, lent, site

# Set by _tensor: makes a Tensor of a host id.
wrap = None

# Set where only shapes are wanted: gives a Tensor, or None for a call that is the host's.
instead = None

# Modes that are entered (torch.overrides.TorchFunctionMode), the innermost last.
modes = []

# Set while torch.vmap runs a function: runs each call in the place of `call`.
watch = None


def call(name, args, kwargs, is_method=False):
    """Runs one torch call and returns Tensors, in the same nesting as the host gives them."""
    if modes:
        return through_mode(public_function(name), args, kwargs)
    if watch is not None:
        return watch(name, args, kwargs, is_method)
    if instead is not None:
        made = instead(name, args, kwargs)
        if made is not None:
            return made
    if kwargs.get("device") is not None:
        check_device(kwargs["device"])
        if is_meta_device(kwargs["device"]):
            from . import _meta

            return _meta.make(name, args, kwargs)
    if "generator" in kwargs:
        return _call_drawing(name, args, kwargs)
    if kwargs.get("requires_grad"):
        return _call_requiring(name, args, kwargs)
    letters = ["m"] if is_method else []
    values = []
    outer = len(lent)
    try:
        for arg in args:
            encode(arg, letters, values)
        for key, arg in kwargs.items():
            letters.append("k")
            values.append(key)
            encode(arg, letters, values)
        result = host.call(name, site(), "".join(letters), *values)
    except BaseException:
        _forget_last_error()
        raise
    finally:
        del lent[outer:]
    if type(result) is int:
        known = _known(result, args, kwargs)
        if known is None or name[-1] == "_":
            known = wrap(result) if known is None else known
            known._maker = name_of(name, args, kwargs)
        return known
    if result is None:
        return None
    if result.startswith("python "):
        from ._python_rules import run

        return run(name, args, kwargs, result)
    if kwargs.get("out") is not None:
        return tuple(kwargs["out"])
    made = tuple(wrap(int(item)) for item in result.split(",")) if result else ()
    maker = name_of(name, args, kwargs)
    for tensor in made:
        tensor._maker = maker
    return made


def _forget_last_error():
    """Of a refused call nothing is held: what crosses from the host stays in `sys` with all its frames."""
    for name in ("last_exc", "last_value", "last_traceback"):
        if hasattr(sys, name):
            delattr(sys, name)


def through_mode(function, args, kwargs):
    """The innermost mode decides what a torch function gives; within it the others are in force."""
    mode = modes.pop()
    try:
        return mode.__torch_function__(function, (), args, kwargs)
    finally:
        modes.append(mode)


def public_function(name):
    """What the user knows one call of the host as: a method of Tensor, or a function of torch."""
    import torch

    key, _, given = name.partition(":")
    shown = given or key.rpartition(".")[2]
    return getattr(torch.Tensor, shown, None) or getattr(torch, shown)


def _call_drawing(name, args, kwargs):
    from ._random import drawing_from

    kwargs = dict(kwargs)
    with drawing_from(kwargs.pop("generator")):
        return call(name, args, kwargs)


def _call_requiring(name, args, kwargs):
    """A new leaf: the host passes over the keyword."""
    made = call(name, args, {**kwargs, "requires_grad": False})
    return new_leaf(made)


def new_leaf(made):
    """The result of a call with requires_grad=True."""
    need_differentiable(made.dtype)
    made.requires_grad = True
    host.trace_anew(made._id)
    return made


def need_differentiable(dtype):
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")


def _known(id, args, kwargs):
    """The argument that the host gave back (an edit in place, a view that changes nothing)."""
    for arg in args:
        if getattr(arg, "_id", None) == id:
            return arg
    for arg in kwargs.values():
        if getattr(arg, "_id", None) == id:
            return arg
    return None


def function(key, name, returns=None, is_method=False):
    """A Python function for one entry of the host's table."""
    named = collections.namedtuple(name, returns) if returns else None

    def torch_function(*args, **kwargs):
        if modes:
            return through_mode(torch_function, args, kwargs)
        result = call(key, args, kwargs, is_method)
        if named is not None and type(result) is tuple and len(result) == len(returns):
            return named(*result)
        return result

    torch_function.__name__ = torch_function.__qualname__ = name
    return torch_function


class composite:
    """A torch function written in Python of other torch calls: it counts as one call of the user's line."""

    def __init__(self, name):
        self.name = name

    def __call__(self, body):
        name = self.name

        def torch_function(*args, **kwargs):
            if modes:
                return through_mode(torch_function, args, kwargs)
            host.begin(name, site())
            try:
                result = body(*args, **kwargs)
            except BaseException:
                host.abandon()
                raise
            host.end(",".join(str(t._id) for t in _tensors(result)))
            return result

        torch_function.__name__ = torch_function.__qualname__ = body.__name__
        torch_function.__doc__ = body.__doc__
        torch_function.__wrapped__ = body
        return torch_function


def _tensors(result):
    if hasattr(result, "_id"):
        yield result
    elif isinstance(result, (tuple, list)):
        for item in result:
            yield from _tensors(item)


def add_missing(namespace, tensor_class, functions, methods, own):
    """Names of `own` that are not there yet: `functions` of torch, `methods` of Tensor."""
    for name in functions:
        namespace.setdefault(name, own[name])
    for name in methods:
        if name not in tensor_class.__dict__:
            setattr(tensor_class, name, own[name])


def expose(namespace, table, place):
    """Puts every function of the host's table that stands in `place` into a namespace.

    The table has rows (key, name, places, names of the results, has an in-place twin).
    """
    for key, name, places, returns, in_place in table:
        if place not in places:
            continue
        is_method = place == "Tensor"
        namespace.setdefault(name, function(key, name, returns, is_method))
        if in_place:
            twin = function(key + "_", name + "_", is_method=is_method)
            namespace.setdefault(name + "_", twin)


def part_of(tensor):
    """0, which requires a gradient where `tensor` does: so do results that nothing of it reaches."""
    return tensor.reshape(-1)[:0].sum()

"""Tensors that are only a shape, for counting: the host hears of one when something else is asked of it."""

from . import _call
from ._dtypes import Size
from ._host import host
from ._tensor import Tensor
from .nn.parameter import Parameter

# Calls that make a tensor of nothing but a shape.
_MAKERS = frozenset(("empty", "ones", "zeros", "rand", "randn"))


class _Shaped(Tensor):
    """A float tensor of a maker above."""


def use_shapes():
    """From now on makers and parameters stay in Python; for good, so only where nothing is run."""
    _call.instead = _made
    Parameter.__new__ = _new_parameter
    Tensor.shape = property(_shape)
    Tensor.__getattr__ = _attribute


def _made(name, args, kwargs):
    """The tensor of a call that a shape suffices for, None for any other call."""
    if name not in _MAKERS or any(value is not None for value in kwargs.values()):
        return None
    sizes = args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
    if not all(type(size) is int and size >= 0 for size in sizes):
        return None
    made = object.__new__(_Shaped)
    made._shape = Size(sizes)
    return made


_host_parameter = Parameter.__new__
_host_shape = Tensor.shape.fget
_other_attribute = Tensor.__getattr__


def _new_parameter(cls, data=None, requires_grad=True):
    if type(data) is not _Shaped or "_id" in data.__dict__ or not requires_grad:
        return _host_parameter(cls, data, requires_grad)
    made = object.__new__(cls)
    made._shape = data._shape
    return made


def _shape(tensor):
    known = tensor.__dict__.get("_shape")
    return _host_shape(tensor) if known is None else known


def _attribute(tensor, name):
    """The host's number of a tensor that was only a shape; it is one of the host's from then on."""
    shape = tensor.__dict__.pop("_shape", None) if name == "_id" else None
    if shape is None:
        return _other_attribute(tensor, name)
    _call.instead = None
    made = _call.call("empty", (tuple(shape),), {})
    _call.instead = _made
    if isinstance(tensor, Parameter):
        tensor._id = host.parameter(made._id, True)
    else:
        tensor._id = made.__dict__.pop("_id")
    return tensor._id

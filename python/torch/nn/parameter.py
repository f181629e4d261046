"""nn.Parameter and its kin."""

from .. import _call, _meta
from .._grad_mode import is_grad_enabled
from .._host import host
from .._tensor import Tensor, leaves, set_data


class _ParameterMeta(type(Tensor)):
    def __instancecheck__(cls, value):
        return type.__instancecheck__(cls, value)


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A leaf that a module registers and an optimizer trains."""

    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            data = _call.call("empty", ((0,),), {})
        if not isinstance(data, Tensor):
            raise AttributeError(f"'{type(data).__name__}' object has no attribute 'detach'")
        made = object.__new__(cls)
        made._id = host.parameter(data._id, bool(requires_grad))
        leaves[made._id] = made
        if _meta.is_marked(data):
            _meta.mark(made)
        if requires_grad:
            _call.need_differentiable(data.dtype)
        return made

    def __repr__(self):
        return "Parameter containing:\n" + Tensor.__repr__(self)

    def _turn(self, name, *args):
        """An edit of the shape alone, which nothing but the parameter itself sees."""
        if self.requires_grad and (is_grad_enabled() or host.is_rested_on(self._id)):
            return _call.call(name + "_", (self, *args), {})
        set_data(self, _call.call(name, (self.data, *args), {}))
        return self

    def squeeze_(self, *dim):
        return self._turn("squeeze", *dim)

    def unsqueeze_(self, dim):
        return self._turn("unsqueeze", dim)

    def transpose_(self, dim0, dim1):
        return self._turn("transpose", dim0, dim1)

    swapaxes_ = swapdims_ = transpose_

    def t_(self):
        return self._turn("t")

    def as_strided_(self, size, stride, storage_offset=None):
        return self._turn("as_strided", size, stride, storage_offset)

    def __copy__(self):
        return type(self)(self.data, self.requires_grad)

    def __deepcopy__(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        copied = memo[id(self)] = type(self)(_call.call("fresh", (self,), {}), self.requires_grad)
        return copied


class Buffer(Tensor):
    """A tensor that a module registers as a buffer when it is assigned."""

    def __new__(cls, data=None, *, persistent=True):
        made = (
            (data if data is not None else _call.call("empty", ((0,),), {})).detach()._become(cls)
        )
        made.persistent = persistent
        return made


class _Materialized:
    """A tensor without a shape until `materialize` gives it one."""

    def materialize(self, shape, device=None, dtype=None):
        made = _call.call("empty", (tuple(shape),), _given(dtype, device, self._wanted))
        set_data(self, made)
        self.__class__ = self.cls_to_become


def _given(dtype, device, wanted):
    return {"dtype": dtype or wanted["dtype"], "device": device or wanted["device"]}


class UninitializedParameter(_Materialized, Parameter):
    """A parameter whose shape the first call decides."""

    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        made = super().__new__(cls, None, requires_grad)
        made._wanted = {"dtype": dtype, "device": device}
        return made

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, **self._wanted)
        return memo[id(self)]


class UninitializedBuffer(_Materialized, Tensor):
    """A buffer whose shape the first call decides."""

    cls_to_become = Tensor

    def __new__(cls, requires_grad=False, device=None, dtype=None):
        made = _call.call("empty", ((0,),), {"dtype": dtype})._become(cls)
        made._wanted = {"dtype": dtype, "device": device}
        return made


def is_lazy(parameter):
    return isinstance(parameter, (UninitializedParameter, UninitializedBuffer))

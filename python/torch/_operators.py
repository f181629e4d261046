"""Python's operators as torch calls."""

from ._call import call, composite
from ._dtypes import bool as bool_


def _operator(key, reflected=False):
    def method(self, other):
        if not _is_operand(other):
            return NotImplemented
        return call(key, (other, self) if reflected else (self, other), {})

    return method


@composite("__rtruediv__")
def _divided(self, other):
    return call("mul", (call("reciprocal", (self,), {}), other), {})


def _over(self, other):
    return _divided(self, other) if _is_operand(other) else NotImplemented


def _is_operand(other):
    return (
        isinstance(other, (int, float, complex))
        or hasattr(other, "_id")
        or hasattr(other, "__torch_tensor__")
        or (hasattr(other, "__float__"))
    )


def _matrix_product(self, other):
    return call("matmul", (self, other), {}) if _is_matrix(other) else NotImplemented


def _reflected_matrix_product(self, other):
    return call("matmul", (other, self), {}) if _is_matrix(other) else NotImplemented


def _is_matrix(other):
    return hasattr(other, "_id") or hasattr(other, "__torch_tensor__")


def _unary(key):
    return lambda self: call(key, (self,), {})


def _positive(self):
    if self.dtype is bool_:
        raise NotImplementedError("The `+` operator, on a bool tensor is not supported.")
    return self


def _inverted(self):
    if self.is_floating_point() or self.is_complex():
        raise TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        )
    return call("bitwise_not:__invert__", (self,), {})


def _in_place(key):
    return lambda self, other: call(key, (self, other), {})


# Operator: the call that it makes. Behind the colon the name that PyTorch gives it, where it is not the call's.
_BINARY = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "truediv": "div",
    "mod": "remainder",
    "floordiv": "floor_divide:__floordiv__",
    "pow": "pow:__pow__",
    "and": "bitwise_and:__and__",
    "or": "bitwise_or:__or__",
    "xor": "bitwise_xor:__xor__",
    "lshift": "bitwise_left_shift:__lshift__",
    "rshift": "bitwise_right_shift:__rshift__",
}
_REFLECTED = {
    "add": "add",
    "mul": "mul",
    "mod": "remainder:__rmod__",
    "floordiv": "floor_divide:__rfloordiv__",
    "pow": "pow:__rpow__",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift:__rlshift__",
    "rshift": "bitwise_right_shift:__rrshift__",
}
_IN_PLACE = {
    "add": "add_",
    "sub": "sub_",
    "mul": "mul_",
    "truediv": "div_",
    "mod": "remainder_",
    "floordiv": "floor_divide_",
    "pow": "pow_:__ipow__",
    "and": "bitwise_and_:__iand__",
    "or": "bitwise_or_:__ior__",
    "xor": "bitwise_xor_:__ixor__",
    "lshift": "bitwise_left_shift_:__ilshift__",
    "rshift": "bitwise_right_shift_:__irshift__",
}


def bind_operators(cls):
    """Gives a class the operators."""
    for name, key in _BINARY.items():
        setattr(cls, f"__{name}__", _operator(key))
    for name, key in _REFLECTED.items():
        setattr(cls, f"__r{name}__", _operator(key, reflected=True))
    for name, key in _IN_PLACE.items():
        setattr(cls, f"__i{name}__", _in_place(key))
    for name, key in {
        "eq": "eq:__eq__",
        "ne": "ne",
        "lt": "lt",
        "le": "le",
        "gt": "gt",
        "ge": "ge",
    }.items():
        setattr(cls, f"__{name}__", _operator(key))
    cls.__matmul__, cls.__rmatmul__ = _matrix_product, _reflected_matrix_product
    cls.__rtruediv__ = cls.__rdiv__ = _over
    cls.__rsub__ = _operator("rsub:__rsub__")
    cls.__neg__ = _unary("neg")
    cls.__pos__ = _positive
    cls.__abs__ = _unary("abs")
    cls.__invert__ = _inverted

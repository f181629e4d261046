"""torch.overrides: tensors here have no functions of their own."""

import contextlib

from ._unsupported import missing as _missing


class TorchFunctionMode(contextlib.AbstractContextManager):
    """Entered and left; it sees no function."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))

    def __exit__(self, *exc):
        return None


def has_torch_function(args):
    return False


def has_torch_function_unary(arg):
    return False


has_torch_function_variadic = has_torch_function


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    return public_api(*args, **kwargs)


def is_tensor_like(inp):
    from ._tensor import Tensor

    return isinstance(inp, Tensor)


def __getattr__(name):
    raise _missing("torch.overrides", name, globals())

"""torch.overrides: modes that see torch's functions; tensors here have no functions of their own."""

from . import _call
from ._unsupported import missing as _missing


class TorchFunctionMode:
    """While it is entered, `__torch_function__` is called in the place of torch's functions."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        _call.modes.append(self)
        return self

    def __exit__(self, *exc):
        _call.modes.pop()


def resolve_name(f):
    """The name of a torch function with its module; None: it is none."""
    from ._functions import typename

    return typename(f) if callable(f) else None


def is_tensor_method_or_property(func):
    from ._tensor import Tensor

    return getattr(Tensor, getattr(func, "__name__", ""), None) is func


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

"""torch.ops: operators of the script's own by namespace, and PyTorch's by their inner names."""

from ._call import call
from ._unsupported import unsupported
from .library import _operators


class _Namespace:
    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        found = _operators.get(f"{self._name}::{name}")
        if found is not None:
            return found
        if self._name == "aten":
            return _overloads(name)
        raise unsupported(f"torch.ops.{self._name}.{name}")


def _overloads(name):
    """aten::name, also as name.default and name.Tensor."""

    def function(*args, **kwargs):
        return call(name, args, kwargs)

    function.default = function.Tensor = function.Scalar = function
    return function


class _Ops:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Namespace(name)

    def load_library(self, path):
        raise unsupported("torch.ops.load_library")


ops = _Ops()

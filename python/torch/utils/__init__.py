"""torch.utils."""

from .._unsupported import missing as _missing
from . import _pytree, checkpoint, data, hooks, model_zoo  # noqa: F401


def set_module(obj, mod):
    obj.__module__ = mod


def __getattr__(name):
    raise _missing("torch.utils", name, globals())

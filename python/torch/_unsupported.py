"""What is raised for a name that the stand-in does not have."""

import difflib

from ._host import UnsupportedCall
from ._names import of as names_of


def missing(namespace, name, known):
    """The error for `namespace.name`, where `known` are the names that are there."""
    if name.startswith("__") or name not in names_of(namespace):
        return AttributeError(f"module '{namespace}' has no attribute '{name}'", name=name)
    return unsupported(f"{namespace}.{name}", _near(name, known))


def missing_attribute(tensor, name):
    """The error for `tensor.name`."""
    kind = type(tensor).__name__
    if name.startswith("_") or name not in names_of("torch.Tensor"):
        return AttributeError(f"'{kind}' object has no attribute '{name}'", name=name, obj=tensor)
    return unsupported(f"torch.Tensor.{name}", _near(name, dir(type(tensor))))


def unsupported(what, near=()):
    """PyTorch has `what`, the stand-in does not."""
    text = f"{what} is not supported"
    if near:
        text += f"; the nearest that are: {', '.join(near)}"
    return _UnsupportedName(text)


class _UnsupportedName(UnsupportedCall, AttributeError):
    """An AttributeError too, so that `hasattr` and `getattr` with a default work."""


_UnsupportedName.__name__ = _UnsupportedName.__qualname__ = "UnsupportedCall"


def _near(name, known):
    public = [other for other in known if not other.startswith("_")]
    return difflib.get_close_matches(name, public, n=3, cutoff=0.7)

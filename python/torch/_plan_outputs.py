"""What of forward's output a loss is made of: the tensors in it, and how a script gets at them."""

import re
import sys

from normscope_boot.places import is_user_file

from ._tensor import Tensor
from .nn.modules.module import Module


def own_loss(output):
    """A scalar with a gradient in what forward returned, and the path to it."""
    for value, path in _tensors(output, ""):
        if value.dim() == 0 and value.is_floating_point() and value.requires_grad:
            if not _NO_LOSS.search(path):
                return value, path
    return None, ""


# Learnt numbers that contrastive models return beside their features, and parts of a loss.
_NO_LOSS = re.compile(r"scale|bias|temperature|tau\b|aux|balanc|router|z_loss")


def first_float(output):
    found = [(value, path) for value, path in _tensors(output, "") if value.is_floating_point()]
    whole = [one for one in found if one[0].dim() > 0]
    return (whole or found or [(None, "")])[0]


def _tensors(value, path):
    if isinstance(value, Tensor):
        yield value, path
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _tensors(item, f"{path}[{key!r}]")
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        for key in value._fields:
            yield from _tensors(getattr(value, key), f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            yield from _tensors(item, f"{path}[{i}]")
    elif hasattr(value, "__dataclass_fields__"):
        for key in value.__dataclass_fields__:
            yield from _tensors(getattr(value, key), f"{path}.{key}")
    elif _is_own_object(value):
        for key, item in vars(value).items():
            # Objects of objects may lead back.
            if not _is_own_object(item):
                yield from _tensors(item, f"{path}.{key}")


def _is_own_object(value):
    """Whether it is one of a class of the user's that holds something, as tensors with their masks are."""
    file = getattr(sys.modules.get(type(value).__module__), "__file__", None) or ""
    return is_user_file(file) and hasattr(value, "__dict__") and not isinstance(value, Module)


def told_of(output):
    if isinstance(output, Tensor):
        return f"one of {str(output.dtype).removeprefix('torch.')}"
    return type(output).__name__

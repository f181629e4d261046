"""The tensor that a view is a view of."""

import gc

from . import _tensor
from ._host import host


def base_of(view):
    """The user's own handle on the base where it is still held."""
    base = host.base(view._id)
    if base <= 0:
        return None
    held = (thing for thing in gc.get_objects() if isinstance(thing, _tensor.Tensor))
    found = next((tensor for tensor in held if tensor.__dict__.get("_id") == base), None)
    return _tensor.wrap(base) if found is None else found

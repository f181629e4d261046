"""torch.autograd.graph: where saved tensors lie changes no number."""

import contextlib

from .._hooks import on_gradients as register_multi_grad_hook
from .._unsupported import unsupported

__all__ = [
    "Node",
    "disable_saved_tensors_hooks",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]


class Node:
    """The type of grad_fn."""


class saved_tensors_hooks(contextlib.ContextDecorator):
    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self):
        raise unsupported("saved_tensors_hooks with hooks of one's own")

    def __exit__(self, *exc):
        return None


class save_on_cpu(saved_tensors_hooks):
    def __init__(self, pin_memory=False, device_type="cuda"):
        pass

    def __enter__(self):
        return None


class disable_saved_tensors_hooks(saved_tensors_hooks):
    def __init__(self, error_message=""):
        pass

    def __enter__(self):
        return None

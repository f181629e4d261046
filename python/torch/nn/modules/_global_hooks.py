"""Hooks of all modules."""

import itertools

from ..._unsupported import unsupported
from . import _calling

_numbers = itertools.count()


class _Handle:
    def __init__(self, hooks, hook):
        self._hooks = hooks
        self.id = ("global", next(_numbers))
        hooks[self.id] = hook

    def remove(self):
        self._hooks.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.remove()


def register_module_forward_pre_hook(hook):
    return _Handle(_calling.global_forward_pre_hooks, hook)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    if with_kwargs:
        raise unsupported("register_module_forward_hook with_kwargs=True")
    return _Handle(_calling.global_forward_hooks, hook)


def register_module_full_backward_hook(hook):
    raise unsupported("register_module_full_backward_hook: register the hook on each module")


register_module_backward_hook = register_module_full_backward_pre_hook = (
    register_module_full_backward_hook
)

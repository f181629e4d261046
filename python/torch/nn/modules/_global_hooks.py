"""Hooks of all modules: around their calls, and where something is registered in them."""

import itertools

from ..._unsupported import unsupported
from . import _calling

__all__ = [
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]

_numbers = itertools.count()

# Hooks by the id of their handle; each takes (module, name, what is registered).
parameter_registration_hooks = {}
module_registration_hooks = {}
buffer_registration_hooks = {}


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
    handle = _Handle(_calling.global_forward_hooks, hook)
    if with_kwargs:
        _calling.global_forward_hooks_with_kwargs.add(handle.id)
    if always_call:
        _calling.global_forward_hooks_always_called.add(handle.id)
    return handle


def register_module_full_backward_pre_hook(hook):
    return _Handle(_calling.global_backward_pre_hooks, hook)


def register_module_full_backward_hook(hook):
    return _Handle(_calling.global_backward_hooks, hook)


def register_module_backward_hook(hook):
    raise unsupported(
        "register_module_backward_hook: register_module_full_backward_hook takes its place"
    )


def register_module_parameter_registration_hook(hook):
    return _Handle(parameter_registration_hooks, hook)


def register_module_module_registration_hook(hook):
    return _Handle(module_registration_hooks, hook)


def register_module_buffer_registration_hook(hook):
    return _Handle(buffer_registration_hooks, hook)


def registered_parameter(module, name, parameter):
    """What the hooks make of a parameter before `module` has it."""
    return _changed(parameter_registration_hooks, module, name, parameter)


def registered_module(module, name, child):
    """What the hooks make of a child before `module` has it."""
    return _changed(module_registration_hooks, module, name, child)


def registered_buffer(module, name, buffer):
    """What the hooks make of a buffer before `module` has it."""
    return _changed(buffer_registration_hooks, module, name, buffer)


def _changed(hooks, module, name, value):
    for hook in list(hooks.values()):
        replaced = hook(module, name, value)
        if replaced is not None:
            value = replaced
    return value

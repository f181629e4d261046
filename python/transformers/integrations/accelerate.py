"""Hooks that place modules on devices: there are none."""


def force_accelerate_hooks(*args, **kwargs):
    return lambda target: target

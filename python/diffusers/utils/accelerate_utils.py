"""Hooks of the package accelerate, which is not here."""


def apply_forward_hook(method):
    return method

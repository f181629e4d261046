"""Grad mode: no_grad, enable_grad, set_grad_enabled, inference_mode."""

import functools

from ._host import host

_enabled = True
_inference = False


def is_grad_enabled():
    return _enabled


def is_inference_mode_enabled():
    return _inference


def _set(enabled):
    global _enabled
    _enabled = bool(enabled)
    host.set_grad_mode(_enabled, _inference)


class _Decorator:
    """A context manager that also decorates functions, generators and classes' methods."""

    def __call__(self, function):
        again = self._again

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with again():
                return function(*args, **kwargs)

        return wrapper

    def _again(self):
        return type(self)()


class no_grad(_Decorator):
    _mode = False

    def __new__(cls, function=None):
        made = super().__new__(cls)
        return made(function) if function is not None else made

    def __enter__(self):
        self._before = _enabled
        _set(self._mode)

    def __exit__(self, *exc):
        _set(self._before)


class enable_grad(no_grad):
    _mode = True


class set_grad_enabled(_Decorator):
    def __init__(self, mode):
        self._mode = bool(mode)
        self._before = _enabled
        _set(self._mode)

    def __call__(self, function):
        _set(self._before)
        return super().__call__(function)

    def _again(self):
        return set_grad_enabled(self._mode)

    def __enter__(self):
        _set(self._mode)

    def __exit__(self, *exc):
        _set(self._before)


class inference_mode(_Decorator):
    def __new__(cls, mode=True):
        made = super().__new__(cls)
        made._mode = True if callable(mode) else bool(mode)
        return made(mode) if callable(mode) else made

    def _again(self):
        return inference_mode(self._mode)

    def __enter__(self):
        global _inference
        self._before = (_enabled, _inference)
        _inference = self._mode
        _set(not self._mode)

    def __exit__(self, *exc):
        global _inference
        enabled, _inference = self._before
        _set(enabled)


class set_multithreading_enabled(_Decorator):
    """Threads change no number."""

    def __init__(self, mode):
        self._mode = mode

    def _again(self):
        return set_multithreading_enabled(self._mode)

    def __enter__(self):
        return None

    def __exit__(self, *exc):
        return None


def reset():
    """Grad mode on, whatever the construction left behind."""
    global _inference
    _inference = False
    _set(True)

"""torch.jit: scripting changes speed, not numbers. Functions and modules run as they are."""

import builtins
import contextlib
import functools
import types
from typing import Final  # noqa: F401

from .._unsupported import missing as _missing
from .._unsupported import unsupported
from ..nn.modules.module import Module


def script(obj=None, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    if obj is None:
        return script
    return _as_it_stands(obj) if builtins.isinstance(obj, types.FunctionType) else obj


def _as_it_stands(function):
    """The function with the names that its file has now: what is given one of them later is another."""
    names = _NamesSoFar(function.__globals__)
    names.live = function.__globals__
    made = types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    functools.update_wrapper(made, function)
    del made.__wrapped__
    made.__kwdefaults__ = function.__kwdefaults__
    return made


class _NamesSoFar(dict):
    def __missing__(self, name):
        return self.live[name]


def trace(func, example_inputs=None, **options):
    return func


def trace_module(mod, inputs, **options):
    return mod


def _same(fn=None, *args, **kwargs):
    """A decorator that changes nothing, with arguments or without."""
    return fn if callable(fn) else lambda function: function


export = ignore = unused = script_method = script_if_tracing = interface = _same


def is_scripting():
    return False


def is_tracing():
    return False


def annotate(the_type, the_value):
    return the_value


def isinstance(obj, target_type):  # noqa: A001
    return builtins.isinstance(obj, target_type)


def freeze(mod, *args, **kwargs):
    return mod


optimize_for_inference = freeze


@contextlib.contextmanager
def optimized_execution(should_optimize):
    yield


@contextlib.contextmanager
def fuser(name):
    yield


class Attribute:
    def __new__(cls, value, type):
        return value


class ScriptModule(Module):
    """A module whose class says that it is scripted: it runs as it is."""


ScriptFunction = RecursiveScriptModule = TopLevelTracedModule = ScriptModule


def fork(func, *args, **kwargs):
    return func(*args, **kwargs)


def wait(future):
    return future


def save(m, f, _extra_files=None):
    raise unsupported("torch.jit.save")


def load(f, map_location=None, _extra_files=None, _restore_shapes=False):
    raise unsupported("torch.jit.load")


def __getattr__(name):
    raise _missing("torch.jit", name, globals())

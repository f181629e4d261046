"""torch.jit: scripting changes speed, not numbers. Functions and modules run as they are."""

import builtins
import contextlib
from typing import Final  # noqa: F401

from .._unsupported import missing as _missing
from .._unsupported import unsupported
from ..nn.modules.module import Module


def script(obj=None, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    return obj if obj is not None else script


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

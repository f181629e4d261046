"""torch.compiler: nothing is compiled."""

from .._functions import compile  # noqa: A004, F401
from .._unsupported import missing as _missing


def is_compiling():
    return False


is_dynamo_compiling = is_exporting = is_compiling


def _same(fn=None, *args, **kwargs):
    return fn if callable(fn) else lambda function: function


disable = allow_in_graph = disallow_in_graph = assume_constant_result = substitute_in_graph = _same


def reset():
    pass


def cudagraph_mark_step_begin():
    pass


def set_stance(*args, **kwargs):
    pass


def __getattr__(name):
    raise _missing("torch.compiler", name, globals())

"""torch.fx: symbolic tracing is not supported."""

from ._unsupported import missing as _missing


def wrap(fn_or_name):
    """A mark for the tracer."""
    return fn_or_name


def __getattr__(name):
    raise _missing("torch.fx", name, globals())

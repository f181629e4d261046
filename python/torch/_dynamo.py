"""torch._dynamo: nothing is compiled."""

from types import SimpleNamespace

from .compiler import allow_in_graph, disable, is_compiling, reset  # noqa: F401

config = SimpleNamespace(
    suppress_errors=False,
    cache_size_limit=8,
    recompile_limit=8,
    capture_scalar_outputs=False,
    optimize_ddp=True,
    verbose=False,
)


def is_dynamo_compiling():
    return False


def optimize(*args, **kwargs):
    return lambda function: function


def mark_dynamic(tensor, dim, **options):
    pass


mark_static = maybe_mark_dynamic = mark_dynamic


def graph_break(msg=""):
    pass

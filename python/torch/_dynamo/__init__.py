"""torch._dynamo: nothing is compiled."""

from ..compiler import allow_in_graph, disable, is_compiling, reset  # noqa: F401
from . import config  # noqa: F401


def is_dynamo_compiling():
    return False


def optimize(*args, **kwargs):
    return lambda function: function


def mark_dynamic(tensor, dim, **options):
    pass


mark_static = maybe_mark_dynamic = mark_dynamic


def graph_break(msg=""):
    pass

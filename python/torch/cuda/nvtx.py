"""torch.cuda.nvtx: marks that nobody reads."""

from ..autograd.profiler import record_function as range  # noqa: A004, F401


def range_push(msg):
    return 0


def range_pop():
    return 0


def mark(msg):
    pass

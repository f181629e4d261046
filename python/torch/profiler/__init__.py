"""torch.profiler: blocks that measure nothing."""

import enum

from ..autograd.profiler import profile, record_function  # noqa: F401
from .._unsupported import missing as _missing


class ProfilerActivity(enum.Enum):
    CPU = 0
    CUDA = 1
    XPU = 2


class ProfilerAction(enum.Enum):
    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def schedule(**options):
    return lambda step: ProfilerAction.NONE


def tensorboard_trace_handler(*args, **kwargs):
    return lambda profiler: None


def __getattr__(name):
    raise _missing("torch.profiler", name, globals())

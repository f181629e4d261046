"""torch.nn.attention: which kernel computes attention changes no number."""

import contextlib
import enum

from ..._unsupported import missing as _missing
from . import bias, flex_attention  # noqa: F401


class SDPBackend(enum.IntEnum):
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    yield


def __getattr__(name):
    raise _missing("torch.nn.attention", name, globals())

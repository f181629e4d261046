"""torch.cuda on a machine that has no such device: what only places or waits does nothing."""

import contextlib

from .._devices import refuse_cuda, stay
from .._host import OutOfMemoryError  # noqa: F401
from .._streams import Stream as _Stream
from .._unsupported import missing as _missing
from . import amp, nvtx  # noqa: F401

_zero_questions = (
    "device_count",
    "memory_allocated",
    "max_memory_allocated",
    "memory_reserved",
    "max_memory_reserved",
    "memory_cached",
    "max_memory_cached",
)
_refused = (
    "current_device",
    "get_device_name",
    "get_device_capability",
    "get_device_properties",
    "mem_get_info",
    "initial_seed",
    "get_rng_state",
    "set_rng_state",
    "current_stream",
    "default_stream",
    "CUDAGraph",
    "graph",
    "make_graphed_callables",
)
_ignored = (
    "empty_cache",
    "init",
    "ipc_collect",
    "manual_seed",
    "manual_seed_all",
    "reset_max_memory_allocated",
    "reset_peak_memory_stats",
    "seed",
    "seed_all",
    "set_device",
    "set_per_process_memory_fraction",
    "set_stream",
    "synchronize",
)
_types = (
    "FloatTensor",
    "DoubleTensor",
    "HalfTensor",
    "BFloat16Tensor",
    "LongTensor",
    "IntTensor",
    "ByteTensor",
    "BoolTensor",
    "ShortTensor",
    "CharTensor",
)


def is_available():
    return False


def is_initialized():
    return False


def is_bf16_supported(including_emulation=True):
    return False


def get_arch_list():
    return []


def get_rng_state_all():
    return []


def set_rng_state_all(new_states):
    pass


def memory_stats(device=None):
    return {}


def memory_summary(device=None, abbreviated=False):
    return ""


class Stream(_Stream):
    def __init__(self, *args, **kwargs):
        refuse_cuda()


class Event:
    """An event that nothing records."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        pass

    def record(self, stream=None):
        refuse_cuda()

    synchronize = wait = query = elapsed_time = record


@contextlib.contextmanager
def stream(stream):
    yield


class device:
    def __init__(self, device):
        self.idx = device

    def __enter__(self):
        stay()

    def __exit__(self, *exc):
        return False


class _NeverMeta(type):
    """No tensor is of such a type; one that is made as such is the CPU's."""

    def __instancecheck__(cls, value):
        return False

    def __call__(cls, *args, **kwargs):
        import torch

        stay()
        return getattr(torch, cls.__name__)(*args, **kwargs)


def _fill():
    for name in _zero_questions:
        globals()[name] = lambda *args, **kwargs: 0
    for name in _refused:
        globals()[name] = refuse_cuda
    for name in _ignored:
        globals()[name] = lambda *args, **kwargs: None
    for name in _types:
        globals()[name] = _NeverMeta(name, (), {"__module__": "torch.cuda"})


_fill()


def __getattr__(name):
    raise _missing("torch.cuda", name, globals())

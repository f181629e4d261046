"""Names of PyTorch's own C++ part that files import."""

from . import _call
from ._host import _LinAlgError  # noqa: F401
from ._random import Generator  # noqa: F401
from ._tensor import Tensor as TensorBase  # noqa: F401
from ._unsupported import unsupported


class ScriptModule:
    pass


class DisableTorchFunctionSubclass:
    def __enter__(self):
        return None

    def __exit__(self, *exc):
        return None


class DisableTorchFunction:
    """While it is entered, no mode sees a function."""

    def __enter__(self):
        self.modes = _call.modes[:]
        _call.modes.clear()

    def __exit__(self, *exc):
        _call.modes[:] = self.modes


_TensorBase = TensorBase


def _log_api_usage_once(event):
    pass


def _jit_set_profiling_mode(mode):
    return False


def _jit_set_profiling_executor(mode):
    return False


def _jit_override_can_fuse_on_cpu(mode):
    pass


_jit_override_can_fuse_on_gpu = _jit_set_texpr_fuser_enabled = _jit_override_can_fuse_on_cpu
_jit_set_autocast_mode = _jit_set_nvfuser_enabled = _jit_override_can_fuse_on_cpu


def _get_tracing_state():
    return None


def _is_tracing():
    return False


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'torch._C' has no attribute '{name}'", name=name)
    raise unsupported(f"torch._C.{name}")

"""torch.utils.cpp_extension where nothing is compiled: no CUDA is found, as on a machine without it."""

from .._unsupported import missing as _missing
from .._unsupported import unsupported

CUDA_HOME = None
ROCM_HOME = None
IS_HIP_EXTENSION = False


def is_ninja_available():
    return False


def _refuse(*args, **kwargs):
    raise unsupported(
        "torch.utils.cpp_extension: an extension is compiled code, which a run does not load"
    )


load = load_inline = CppExtension = CUDAExtension = _refuse


def __getattr__(name):
    raise _missing("torch.utils.cpp_extension", name, globals())

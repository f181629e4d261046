from . import model_parallel  # noqa: F401


def checkpoint_wrapper(module, offload_to_cpu=False):
    """Only memory is at stake: the numbers are the same."""
    return module


def auto_wrap(module, *args, **kwargs):
    return module


wrap = auto_wrap

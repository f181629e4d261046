"""torch.backends.cudnn."""

import contextlib

enabled = True
benchmark = False
benchmark_limit = 10
deterministic = False
allow_tf32 = True


def is_available():
    return False


def version():
    return None


@contextlib.contextmanager
def flags(enabled=True, benchmark=False, benchmark_limit=10, deterministic=False, allow_tf32=True):
    yield

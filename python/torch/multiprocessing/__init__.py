"""torch.multiprocessing: a run is one process."""

from .._unsupported import unsupported


def set_start_method(method, force=False):
    pass


def get_start_method(allow_none=False):
    return "spawn"


def set_sharing_strategy(new_strategy):
    pass


def cpu_count():
    return 1


def _refuse(*args, **kwargs):
    raise unsupported("torch.multiprocessing: a run is one process")


spawn = Process = Pool = Queue = Manager = get_context = start_processes = _refuse

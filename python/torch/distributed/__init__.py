"""torch.distributed in one process that belongs to no group."""

from .._unsupported import missing as _missing
from .._unsupported import unsupported
from . import device_mesh  # noqa: F401
from .device_mesh import DeviceMesh, init_device_mesh  # noqa: F401
from ._group import ProcessGroup, ReduceOp, group  # noqa: F401

_NO_GROUP = (
    "Default process group has not been initialized, please make sure to call init_process_group."
)


def is_available():
    return True


def is_initialized():
    return False


def is_torchelastic_launched():
    return False


def is_gloo_available():
    return True


def is_nccl_available():
    return False


is_mpi_available = is_ucc_available = is_xccl_available = is_nccl_available


def init_process_group(*args, **kwargs):
    raise unsupported("torch.distributed.init_process_group: a run is one process")


def _needs_group(*args, **kwargs):
    raise ValueError(_NO_GROUP)


def destroy_process_group(group=None):  # noqa: F811
    raise AssertionError("Process group cannot be None")


_OF_A_GROUP = (
    "all_gather",
    "all_gather_into_tensor",
    "all_gather_object",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "barrier",
    "broadcast",
    "broadcast_object_list",
    "gather",
    "gather_object",
    "get_backend",
    "get_rank",
    "get_world_size",
    "irecv",
    "isend",
    "monitored_barrier",
    "new_group",
    "recv",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_tensor",
    "scatter",
    "scatter_object_list",
    "send",
    "get_process_group_ranks",
    "get_global_rank",
    "get_group_rank",
    "batch_isend_irecv",
)
for _name in _OF_A_GROUP:
    globals()[_name] = _needs_group


def __getattr__(name):
    raise _missing("torch.distributed", name, globals())

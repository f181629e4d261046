"""torch.distributed.fsdp: a run is one process."""

from .._unsupported import unsupported

_NAMES = (
    "BackwardPrefetch",
    "CPUOffload",
    "FullStateDictConfig",
    "FullyShardedDataParallel",
    "MixedPrecision",
    "ShardingStrategy",
    "StateDictType",
    "fully_shard",
)


def __getattr__(name):
    if name in _NAMES:
        raise unsupported(f"torch.distributed.fsdp.{name}")
    raise AttributeError(f"module 'torch.distributed.fsdp' has no attribute '{name}'", name=name)

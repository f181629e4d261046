"""torch.functional: functions of torch under an older name."""

_NAMES = (
    "atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod cdist "
    "chain_matmul einsum lu meshgrid norm split stft tensordot unique unique_consecutive unravel_index"
).split()


def __getattr__(name):
    import torch

    if name in _NAMES:
        return getattr(torch, name)
    raise AttributeError(f"module 'torch.functional' has no attribute '{name}'", name=name)

"""Devices: tensors live on the CPU, and other devices are refused as on a machine that has none."""

from ._dtypes import device

_NO_CUDA = "Found no NVIDIA driver on your system. A run computes as PyTorch does on the CPU"
_NO_MPS = "PyTorch is not linked with support for mps devices"


def refuse_cuda(*args, **kwargs):
    raise RuntimeError(_NO_CUDA)


def check(given):
    """Raises PyTorch's error where `given` (a device, its name or its number) is not the CPU."""
    if given is None:
        return
    kind = device(given).type
    if kind == "cpu":
        return
    if kind == "cuda":
        refuse_cuda()
    if kind == "mps":
        raise RuntimeError(_NO_MPS)
    if kind == "meta":
        from ._unsupported import unsupported

        raise unsupported("device 'meta'")
    raise AssertionError(f"Torch not compiled with {kind.upper()} enabled")

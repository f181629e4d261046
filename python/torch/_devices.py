"""Devices: tensors live on the CPU. What a file puts on a GPU without asking for one stays where the run is."""

from normscope_boot.assumptions import assume

from ._dtypes import device

_NO_CUDA = "Found no NVIDIA driver on your system. A run computes as PyTorch does on the CPU"

# Kinds of device that a file can name though `is_available()` says that there is none.
_TAKEN = ("cuda", "mps")


def refuse_cuda(*args, **kwargs):
    raise RuntimeError(_NO_CUDA)


def check(given):
    """Notes that `given` (a device, its name or its number) stands for the run's; raises where it cannot."""
    if given is None:
        return
    kind = device(given).type
    if kind == "cpu":
        return
    if kind in _TAKEN:
        stay(kind)
        return
    if kind == "meta":
        from . import _meta

        _meta.use()
        return
    raise AssertionError(f"Torch not compiled with {kind.upper()} enabled")


def is_meta(given):
    return given is not None and device(given).type == "meta"


def stay(kind="cuda"):
    """Notes that the user's line names a device that the run does not have."""
    assume(
        f"The line names the device '{kind}': the run took it for its own, and computes as PyTorch does on the CPU"
    )

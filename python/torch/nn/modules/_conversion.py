"""What Module.to does to each tensor: another element type, another memory format."""

from ..._devices import check as check_device
from ..._dtypes import device
from ..._dtypes import dtype as torch_dtype
from ..._tensor import Tensor


def conversion(args, kwargs):
    """A function of a tensor; None where the arguments ask for nothing that changes one."""
    given = [*args, *kwargs.values()]
    for arg in given:
        if type(arg) in (str, int, device):
            check_device(arg)
    dtype = next((arg for arg in given if isinstance(arg, torch_dtype)), None)
    if dtype is None:
        dtype = next((arg.dtype for arg in given if isinstance(arg, Tensor)), None)
    memory_format = kwargs.get("memory_format")
    if dtype is None and memory_format is None:
        return None

    def convert(t):
        to = dtype if dtype is not None and (t.is_floating_point() or t.is_complex()) else t.dtype
        # Only what can be an image or a volume has a format.
        if memory_format is not None and t.dim() in (4, 5):
            return t.to(to, memory_format=memory_format)
        return t.to(to)

    return convert

"""What Module.to does to each tensor: another element type, another memory format, the meta device."""

from ... import _meta
from ..._call import call
from ..._devices import check as check_device
from ..._devices import is_meta
from ..._dtypes import device
from ..._dtypes import dtype as torch_dtype
from ..._tensor import Tensor, set_data
from ..parameter import Parameter


def conversion(args, kwargs):
    """A function of a tensor; None where the arguments ask for nothing that changes one."""
    given = [*args, *kwargs.values()]
    place = next((arg for arg in given if type(arg) in (str, int, device)), None)
    check_device(place)
    dtype = next((arg for arg in given if isinstance(arg, torch_dtype)), None)
    if dtype is None:
        dtype = next((arg.dtype for arg in given if isinstance(arg, Tensor)), None)
    if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
        raise TypeError(
            "nn.Module.to only accepts floating point or complex dtypes, "
            f"but got desired dtype={dtype}"
        )
    memory_format = kwargs.get("memory_format")

    def convert(t):
        to = dtype if dtype is not None and (t.is_floating_point() or t.is_complex()) else t.dtype
        if _meta.is_marked(t) != is_meta(place) and place is not None:
            return _moved(t, place, to)
        # Only what can be an image or a volume has a format.
        if memory_format is not None and t.dim() in (4, 5):
            return t.to(to, memory_format=memory_format)
        return t.to(to)

    changes_place = place is not None and _meta.is_used()
    return convert if dtype or memory_format or changes_place else None


def _moved(t, place, dtype):
    if _meta.is_marked(t):
        raise NotImplementedError(
            f"{_meta.NO_DATA} Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() "
            "when moving module from meta to a different device."
        )
    return t.to(device=place, dtype=dtype)


def emptied(place):
    """A function that gives a tensor without numbers for one of the meta device, and the reverse."""

    def convert(t):
        if _meta.is_marked(t) == is_meta(place):
            return t
        return call("empty_like", (t,), {"device": place})

    return convert


def moved_parameter(parameter, data):
    """The same parameter with other data, or a new one where the data are on another device."""
    if _meta.is_marked(parameter) != _meta.is_marked(data):
        return Parameter(data, parameter.requires_grad)
    set_data(parameter, data)
    return parameter

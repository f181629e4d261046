"""Largest numbers of windows, called by PyTorch's other name where their places are asked for too."""

from ..._call import call

__all__ = [
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
]


def _pooled(name, at):
    """`at` is the position of return_indices."""

    def function(*args, **kwargs):
        wants_places = args[at] if len(args) > at else kwargs.get("return_indices", False)
        return call(f"{name}:{name}_with_indices" if wants_places else name, args, kwargs)

    function.__name__ = function.__qualname__ = name
    return function


max_pool1d, max_pool2d, max_pool3d = (_pooled(f"max_pool{axes}d", 6) for axes in (1, 2, 3))
adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d = (
    _pooled(f"adaptive_max_pool{axes}d", 2) for axes in (1, 2, 3)
)

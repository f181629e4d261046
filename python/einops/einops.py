"""Where the operations are defined in the package: files import them from here too."""

from . import EinopsError, asnumpy, einsum, pack, parse_shape, rearrange, reduce, repeat, unpack

__all__ = [
    "EinopsError",
    "asnumpy",
    "einsum",
    "pack",
    "parse_shape",
    "rearrange",
    "reduce",
    "repeat",
    "unpack",
]

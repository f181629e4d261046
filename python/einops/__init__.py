"""einops: tensors rearranged by patterns of named axes."""

from ._einsum import einsum
from ._operations import asnumpy, parse_shape, rearrange, reduce, repeat
from ._packing import pack, unpack
from ._pattern import EinopsError

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
__version__ = "0.8.1"

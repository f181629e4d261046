"""torch.types: names for annotations."""

from typing import Any, Sequence, Union  # noqa: F401

from ._dtypes import Size, device, dtype  # noqa: F401
from ._tensor import Tensor  # noqa: F401

Number = int | float | bool
_int, _float, _bool = int, float, bool
_dtype, _device, _size = dtype, device, Sequence[int]
Device = device | str | int | None
FileLike = Any
Storage = Any
IntLikeType = int
FloatLikeType = float
BoolLikeType = bool
_TensorOrTensors = Tensor | Sequence[Tensor]

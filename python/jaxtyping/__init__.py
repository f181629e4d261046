"""A stand-in for jaxtyping: annotations of shapes that nothing checks."""

from torch import Tensor

_KINDS = (
    "BFloat16 Bool Complex Complex128 Complex64 Float Float16 Float32 Float64 Inexact Int Int16 "
    "Int32 Int64 Int8 Integer Key Num Real Scalar ScalarLike Shaped UInt UInt8"
).split()

__all__ = ["Array", "PyTree", "jaxtyped", *_KINDS]

Array = Tensor


class _Annotation:
    """`Float[Tensor, "batch seq"]` is the tensor."""

    def __class_getitem__(cls, item):
        return item[0] if isinstance(item, tuple) else item


for _kind in ("PyTree", *_KINDS):
    globals()[_kind] = type(_kind, (_Annotation,), {})


def jaxtyped(function=None, *, typechecker=None):
    return jaxtyped if function is None else function

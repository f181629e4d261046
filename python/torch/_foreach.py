"""torch._foreach_*: one call for each tensor of a list."""

from ._tensor import Tensor

_UNARY = (
    "abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg "
    "reciprocal round rsqrt sigmoid sign sin sinh sqrt tan tanh trunc zero"
).split()
_BINARY = "add sub mul div clamp_max clamp_min maximum minimum pow copy".split()
_TERNARY = "lerp addcmul addcdiv".split()
# What only edits in place.
_EDITS_ALONE = ("copy", "zero")


def _each(name):
    """A function of a list, and of operands that are lists too or stand for all."""

    def function(self, *operands, **options):
        others = [_spread(operand, len(self)) for operand in operands]
        spread = {key: _spread(value, len(self)) for key, value in options.items()}
        made = [
            getattr(tensor, name)(*(other[at] for other in others), **_at(spread, at))
            for at, tensor in enumerate(self)
        ]
        return None if name.endswith("_") else made

    function.__name__ = "_foreach_" + name
    return function


def _spread(operand, count):
    return operand if isinstance(operand, (list, tuple)) else [operand] * count


def _at(options, index):
    return {key: values[index] for key, values in options.items()}


def _extremum(name):
    """maximum and minimum, which have no form in place of one tensor."""

    def plain(self, other):
        others = _spread(other, len(self))
        return [_pair(tensor, one, name) for tensor, one in zip(self, others)]

    def in_place(self, other):
        for tensor, made in zip(self, plain(self, other)):
            tensor.copy_(made)

    return plain, in_place


def _pair(tensor, other, name):
    if isinstance(other, Tensor):
        return getattr(tensor, name)(other)
    return tensor.clamp(min=other) if name == "maximum" else tensor.clamp(max=other)


def _norm(self, ord=2, dtype=None):
    from . import linalg

    return [linalg.vector_norm(tensor, ord, dtype=dtype) for tensor in self]


def expose(namespace):
    """Adds them to torch's names."""
    for names in (_UNARY, _BINARY, _TERNARY):
        for name in names:
            if name not in _EDITS_ALONE:
                namespace["_foreach_" + name] = _each(name)
            namespace[f"_foreach_{name}_"] = _each(name + "_")
    for name in ("maximum", "minimum"):
        namespace["_foreach_" + name], namespace[f"_foreach_{name}_"] = _extremum(name)
    namespace["_foreach_clamp_min"], namespace["_foreach_clamp_max"] = (
        _extremum("maximum")[0],
        _extremum("minimum")[0],
    )
    namespace["_foreach_norm"] = _norm

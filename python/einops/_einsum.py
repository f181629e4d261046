"""einsum with names of more than one letter."""

import string

from torch._call import call

from ._pattern import ELLIPSIS, EinopsError, parse_side


def einsum(*tensors_and_pattern):
    """einsum(a, b, "batch i j, batch j k -> batch i k")"""
    *tensors, pattern = tensors_and_pattern
    if not tensors or not isinstance(pattern, str):
        raise ValueError(
            "`einops.einsum` takes at least two arguments: tensors and, last, the pattern"
        )
    if "->" not in pattern:
        raise ValueError("Einsum pattern must contain '->'.")
    left, right = pattern.split("->")
    parts = left.split(",")
    if len(parts) != len(tensors):
        raise ValueError("Number of tensors must match number of tensors in the pattern")
    letters = {}
    inputs = ",".join(_compact(part, letters) for part in parts)
    known = set(letters)
    output = _compact(right, letters)
    if set(letters) != known:
        raise EinopsError(f"Unknown axes on right side of einsum: {set(letters) - known}")
    return call("einsum", (f"{inputs}->{output}", *tensors), {})


def _compact(text, letters):
    """One side with a letter for each axis."""
    compact = ""
    for group in parse_side(text):
        if len(group) != 1:
            raise NotImplementedError("Shape rearrangement is not yet supported in einsum.")
        (name,) = group
        if name == ELLIPSIS:
            compact += "..."
        elif name.isdecimal():
            raise NotImplementedError("Singleton axes are not yet supported in einsum.")
        else:
            if len(letters) >= len(string.ascii_letters):
                raise RuntimeError("Too many axes in einsum.")
            compact += letters.setdefault(name, string.ascii_letters[len(letters)])
    return compact

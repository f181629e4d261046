"""Made-up lists of tensors that did not do: their lengths, and what stands beside them."""

import re

from ._plan_places import places_of

_UNPACKED = re.compile(r"(?:not enough|too many) values to unpack \(expected (\d+)")
_SHAPE = re.compile(r"\.(shape|size\(\))")
# Rows and columns of the first map of features.
_SIDE = 16
_LONGEST = 8


def of_other_length(lists, error):
    """{name: rule} of lists as long as the error asks for; None where it is about something else."""
    count = _count(lists, error)
    return None if count is None else {rule.name: rule.changed(count=count) for rule in lists}


def _count(lists, error):
    if not lists:
        return None
    if isinstance(error, IndexError) and "list index out of range" in str(error):
        longer = max(rule.count for rule in lists) + 1
        return longer if longer <= _LONGEST else None
    found = _UNPACKED.search(str(error))
    _, text = next(iter(places_of(error)), ("", ""))
    is_of_list = any(re.search(rf"\b{rule.name}\b", text) for rule in lists)
    return int(found[1]) if found and is_of_list and not _SHAPE.search(text) else None


def maps_in_place_of(rule, shape):
    """The shape; of images where it has two more axes than rows of features had."""
    if len(shape) == 4 and len(rule.shape) == 3:
        return (shape[0], rule.shape[-1], _SIDE, _SIDE)
    return tuple(shape)


def beside_changed(lists, change):
    """{name: rule} of the other lists when one has other axes: as it, masks without channels."""
    by_name = {rule.name: rule for rule in lists}
    for name in change:
        if name in by_name and len(change[name].shape) != len(by_name[name].shape):
            shape = change[name].shape
            without = (shape[0], *shape[2:])
            others = (rule for rule in lists if rule.name not in change)
            return {it.name: it.changed(shape if it.value is None else without) for it in others}
    return {}

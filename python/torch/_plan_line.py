"""What the failing line does with an argument of forward."""

import re

from ._plan_places import places_of


def measures(error, name):
    """Whether the failing line asks how long an axis of the argument is."""
    _, text = next(iter(places_of(error)), ("", ""))
    return re.search(rf"\b{name}\.(size\(|shape\[)", text) is not None


def is_moved(error, name):
    """Whether the failing line gives the argument's axes another order."""
    _, text = next(iter(places_of(error)), ("", ""))
    return re.search(rf"\b{name}\.(transpose|permute|unsqueeze|flatten)\(", text) is not None


def within_line(error, names):
    """Those of the names that the innermost failing line speaks of, in its order."""
    _, line = next(iter(places_of(error)), ("", ""))
    return [it for it in dict.fromkeys(re.findall(r"\w+", line)) if it in names]

"""Made-up indices of a table that is shorter."""

import re

_OUT_OF_TABLE = re.compile(r"The table has (\d+) rows; got the index (\d+)")
_TOO_FEW_CLASSES = "Class values must be smaller than num_classes"
_OUT_OF_BOUNDS = re.compile(r"index (\d+) is out of bounds for dimension \d+ with size (\d+)")


def within_bounds(rules, make, error, names):
    """{name: rule} of smaller indices for the first of `names` that has any; None where the error is another."""
    message = f"{error}\n{getattr(error, 'normscope_hint', '')}"
    if found := _OUT_OF_BOUNDS.search(message):
        index, rows = int(found[1]), int(found[2])
    elif found := _OUT_OF_TABLE.search(message):
        rows, index = int(found[1]), int(found[2])
        # Forward's first is for the table of words, mostly.
        first = next(name for name, rule in rules.items() if rule.shape is not None)
        names = sorted(names, key=lambda it: it == first)
    elif found := _TOO_FEW_CLASSES in message:
        rows, index = 2, 2
    for name in names if found else ():
        if (rules[name].below or 0) > index and rows > 0:
            return {name: make(name, rules[name].shape, rows)}
    return None

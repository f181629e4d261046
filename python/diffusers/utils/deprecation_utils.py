"""Older names of arguments and attributes."""


def deprecate(*args, take_from=None, standard_warn=True, stacklevel=2):
    """The values of those of (name, version, message) that `take_from` has: one alone, several as a tuple."""
    entries = args if isinstance(args[0], tuple) else (args,)
    values = []
    for name, _, _ in entries:
        if isinstance(take_from, dict) and name in take_from:
            values.append(take_from.pop(name))
        elif hasattr(take_from, name):
            values.append(getattr(take_from, name))
    if isinstance(take_from, dict) and take_from:
        raise TypeError(f"got an unexpected keyword argument `{next(iter(take_from))}`")
    if not values:
        return None
    return values[0] if len(values) == 1 else tuple(values)

"""Made-up maps that did not do where maps are concatenated, as in the upward half of a U-Net."""

from . import _plan_messages as told


def of_concatenated(reading, message, names):
    """{name: rule} of maps with as many channels together as wanted, or of the sides that meet; else None."""
    return _of_channels(reading, message, names) or _of_sides(reading, message, names)


def _of_channels(reading, message, names):
    """Maps that together have as many channels as the convolution takes."""
    found = told.CHANNELS.search(message)
    if not found:
        return None
    shapes = {it: reading.shapes[it] for it in names if _is_map(reading, it)}
    got, wanted = int(found[1].split(",")[1]), int(found[2])
    if not 1 < len(shapes) <= wanted or got != sum(shape[1] for shape in shapes.values()):
        return None
    each, left = divmod(wanted, len(shapes))
    counts = [each] * (len(shapes) - 1) + [each + left]
    return {
        name: reading.make(name, (shape[0], count, *shape[2:]))
        for (name, shape), count in zip(shapes.items(), counts)
    }


def _of_sides(reading, message, names):
    """An image of which a layer makes maps as large as the others, where their size is fixed."""
    found = told.BESIDE.search(message)
    if not found:
        return None
    wanted, got = int(found[1]), int(found[2])
    for name in names:
        shape = reading.shapes[name]
        if _is_map(reading, name) and shape[-1] == shape[-2] and shape[-1] * wanted % got == 0:
            side = shape[-1] * wanted // got
            return {name: reading.make(name, (*shape[:-2], side, side))}
    return None


def _is_map(reading, name):
    return len(reading.shapes[name]) == 4 and reading.rules[name].below is None

"""Made-up sequences that are shorter than the windows that a model cuts them into."""

import re

from normscope_boot.places import is_user_file

_UNFOLDED = re.compile(r"maximum size for tensor at dimension \d+ is (\d+) but size is (\d+)")
_NO_PARTS = "chunk expects `chunks` to be greater than 0"
_WINDOWS = re.compile(r"chunk|window|segment|bucket|block")


def of_windows(shapes, make, error):
    """{name: rule} of sequences, all of one length, that are long enough; None where the error is another."""
    sequences = {name: shape for name, shape in shapes.items() if len(shape) == 3}
    length = next((shape[1] for shape in sequences.values()), 0)
    longer = _length_for(error, length)
    return longer and {
        name: make(name, (shape[0], longer, shape[2]))
        for name, shape in sequences.items()
        if shape[1] == length
    }


def _length_for(error, length):
    """How many steps the error asks for in place of `length`; None where it is about something else."""
    if found := _UNFOLDED.search(str(error)):
        return length + int(found[2]) - int(found[1])
    if _NO_PARTS in str(error):
        longer = [size for size in _windows(error) if size > length]
        return min(longer, default=None)
    return None


def _windows(error):
    """Whole numbers that the module which failed has under names of windows."""
    module = _innermost_self(error)
    for name, value in vars(module).items() if hasattr(module, "__dict__") else ():
        if type(value) is int and _WINDOWS.search(name):
            yield value


def _innermost_self(error):
    """What the innermost of the user's methods was called on."""
    found, tb = None, error.__traceback__
    while tb is not None:
        frame = tb.tb_frame
        if is_user_file(frame.f_code.co_filename):
            found = frame.f_locals.get("self", found)
        tb = tb.tb_next
    return found

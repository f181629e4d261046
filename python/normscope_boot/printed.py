"""What the user's code prints, with the line that printed it: it is kept, and told with the numbers."""

import io
import json
import sys
import traceback
import warnings

from normscope_boot.places import SITE, users_line

# [stream, file or None, line or None, text] of each print, in order.
_rows = []

# In characters: an endless loop that prints would fill the memory.
_LIMIT = 1 << 18
# What is left of it; counted as rows grow, since a model may print at every line.
_left = _LIMIT
_CUT = "(more was printed than is kept)\n"


def start():
    """Keeps what is written to standard output and error from here on."""
    sys.stdout = _stream("stdout")
    sys.stderr = _stream("stderr")
    # Of sources that are only read: Python has said it of those that it runs.
    warnings.filterwarnings("ignore", category=SyntaxWarning, module="<unknown>")


def rows():
    """JSON of all rows."""
    return json.dumps(_rows)


def kept():
    """The rows so far, for `restore`."""
    return [list(row) for row in _rows]


def restore(rows):
    """Makes the rows those of `kept`: what was tried since is as if it had never been."""
    global _left
    _rows[:] = [list(row) for row in rows]
    _left = _LIMIT - sum(len(row[3]) for row in _rows)


def _stream(name):
    return io.TextIOWrapper(_Sink(name), "utf-8", errors="replace", write_through=True)


class _Sink(io.RawIOBase):
    def __init__(self, stream):
        self.stream = stream

    def writable(self):
        return True

    def write(self, data):
        if _left > 0 and len(data) > 0:
            frame = sys._getframe(1)
            if self.stream == "stdout" or not _is_displayed_for_us(frame):
                text = bytes(data).decode("utf-8", "replace")
                _add([self.stream, *users_line(frame)], text)
        return len(data)


def _is_displayed_for_us(frame):
    """Pyodide displays each error that goes through JavaScript, also one that the user's code catches."""
    display = frame.f_back
    if display is None or display.f_code is not traceback.print_exception.__code__:
        return False
    return display.f_back.f_code.co_filename.startswith(SITE)


def _add(place, text):
    """`print` writes in several pieces: they are one row, which the end of a line ends."""
    global _left
    if len(text) > _left:
        text = text[:_left] + "\n" + _CUT
    _left -= len(text)
    if _rows and _rows[-1][:3] == place and not _rows[-1][3].endswith("\n"):
        _rows[-1][3] += text
    else:
        _rows.append([*place, text])

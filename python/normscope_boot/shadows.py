"""`from utils.masks import …` where a `utils.py`, or another `utils`, lies nearer to the file than the package `utils` that has it.

Where the project's own scripts run, from its root, the package is found first.
"""

import dis
import importlib.machinery
import os
import sys

from normscope_boot.places import is_user_file


class PackagesAbove:
    """Finds packages of the folders above for imports of a part that what is nearer to the file does not have."""

    def __init__(self, own, above):
        self._own = own
        self._above = above

    def find_spec(self, name, path=None, target=None):
        folders = [self._own, *self._above] if path is None else []
        nearest = next((it for it in folders if _holds(f"{it}/{name}")), None)
        part = _part_imported(sys._getframe(1), name) if nearest else None
        if part is None or _holds(f"{nearest}/{part}"):
            return None
        for folder in self._above:
            if _holds(f"{folder}/{part}"):
                return importlib.machinery.PathFinder.find_spec(name, [folder])
        return None


def _holds(place):
    return os.path.isfile(f"{place}.py") or os.path.isdir(place)


def _part_imported(frame, name):
    """The path of `name.part…` that the user's statement imports; None where it imports `name` alone."""
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    if frame is None or not is_user_file(frame.f_code.co_filename):
        return None
    for it in dis.get_instructions(frame.f_code):
        if it.offset == frame.f_lasti and it.opname == "IMPORT_NAME":
            return it.argval.replace(".", "/") if it.argval.startswith(f"{name}.") else None
    return None

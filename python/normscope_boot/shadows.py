"""`from utils.masks import …` where a `utils.py` lies beside the file and the package `utils` further up.

Where the project's own scripts run, from its root, the package is found first.
"""

import dis
import importlib.machinery
import os
import sys

from normscope_boot.places import is_user_file


class PackagesAbove:
    """Finds packages of the folders above for imports of a part that a module beside the file cannot have."""

    def __init__(self, own, above):
        self._own = own
        self._above = above

    def find_spec(self, name, path=None, target=None):
        if path is not None or not os.path.isfile(f"{self._own}/{name}.py"):
            return None
        part = _part_imported(sys._getframe(1), name)
        for folder in self._above if part else ():
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

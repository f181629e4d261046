"""`from utils.masks import …` where a `utils.py`, or another `utils`, lies nearer to the file than the package `utils` that has it.

Where the project's own scripts run, from its root, the package is found first; where they are run
with a package's own folder on the path, its module of that name is.
"""

import dis
import importlib.machinery
import os
import re
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
        part, names = _imported(sys._getframe(1), name) if nearest else (None, ())
        if part is None:
            return None
        if part == name:
            return _of_same_name(f"{nearest}/{name}", name, names)
        if _holds(f"{nearest}/{part}"):
            return None
        for folder in self._above:
            if _holds(f"{folder}/{part}"):
                return importlib.machinery.PathFinder.find_spec(name, [folder])
        return None


def _of_same_name(package, name, names):
    """The module in a package that has its name, and what is imported, where the package has nothing of it."""
    inner = f"{package}/{name}.py"
    if not names or not os.path.isfile(inner) or any(_holds(f"{package}/{it}") for it in names):
        return None
    if _speaks_of(f"{package}/__init__.py", names) or not _speaks_of(inner, names):
        return None
    return importlib.machinery.PathFinder.find_spec(name, [package])


def _speaks_of(file, names):
    """Whether a file has one of the names, or takes all that another has."""
    if not os.path.isfile(file):
        return False
    with open(file, encoding="utf-8", errors="replace") as source:
        words = set(re.findall(r"\w+|import \*", source.read()))
    return not words.isdisjoint({*names, "import *"})


def _holds(place):
    return os.path.isfile(f"{place}.py") or os.path.isdir(place)


def _imported(frame, name):
    """The path of `name.part…`, and the names of it, that the user's statement imports; (None, ()) for another one."""
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    if frame is None or not is_user_file(frame.f_code.co_filename):
        return None, ()
    steps = [*dis.get_instructions(frame.f_code)]
    at = next((i for i, it in enumerate(steps) if it.offset == frame.f_lasti), None)
    if at is None or steps[at].opname != "IMPORT_NAME":
        return None, ()
    module, names = steps[at].argval, []
    while steps[at + 1].opname in ("IMPORT_FROM", "STORE_NAME", "STORE_FAST", "STORE_GLOBAL"):
        at += 1
        names += [steps[at].argval] if steps[at].opname == "IMPORT_FROM" else []
    if module != name and not module.startswith(f"{name}."):
        return None, ()
    return module.replace(".", "/"), names

"""Which files are the user's: below the root, and neither an installed package nor the recorder."""
import os
import site
import sys

_FOLDERS = (os.path.dirname(__file__), *site.getsitepackages())
_OTHERS = [os.path.realpath(folder) + os.sep for folder in _FOLDERS]
_MAIN = os.path.realpath(sys.argv[0])


def user_file(path: str, root: str) -> str | None:
    """`path` relative to `root`, or None where it is not the user's."""
    path = os.path.realpath(path)
    if not path.startswith(root + os.sep) or path == _MAIN:
        return None
    if any(path.startswith(other) for other in _OTHERS):
        return None
    return os.path.relpath(path, root)

"""torch.save and torch.load: checkpoints of the workspace, and what the run itself has saved."""

import contextlib
import os

from . import _archives

__all__ = [
    "add_safe_globals",
    "clear_safe_globals",
    "get_safe_globals",
    "load",
    "safe_globals",
    "save",
]

DEFAULT_PROTOCOL = 2
_safe = []


def save(obj, f, pickle_module=None, pickle_protocol=DEFAULT_PROTOCOL, **options):
    """To a file that the run alone sees, or into an opened one."""
    data = _archives.written(obj, pickle_protocol)
    if hasattr(f, "write"):
        f.write(data)
        return
    path = os.fspath(f)
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        raise RuntimeError(f"Parent directory {folder} does not exist.")
    with open(path, "wb") as file:
        file.write(data)


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **options):
    """A checkpoint of the workspace gives tensors and plain values only, whatever `weights_only` says."""
    data = _archive_of(f)
    if data is not None:
        return _archives.read(data, None if weights_only is False else _safe)
    from ._checkpoints import open_file

    return open_file(f).value


def _archive_of(f):
    """The bytes of an archive of the run's own; None where `f` is no such."""
    if hasattr(f, "read"):
        start = f.tell()
        is_own = f.read(len(_archives.MAGIC)) == _archives.MAGIC
        f.seek(start)
        return f.read() if is_own else None
    if not os.path.isfile(f):
        return None
    with open(f, "rb") as file:
        return _archive_of(file)


def add_safe_globals(safe_globals):
    _safe.extend(safe_globals)


def get_safe_globals():
    return list(_safe)


def clear_safe_globals():
    _safe.clear()


@contextlib.contextmanager
def safe_globals(safe_globals):
    """These are taken by loads of weights within."""
    before = list(_safe)
    add_safe_globals(safe_globals)
    try:
        yield
    finally:
        _safe[:] = before

"""torch.save and torch.load: a run reads checkpoints of the workspace, and writes none."""

from ._unsupported import unsupported

__all__ = ["add_safe_globals", "load", "save"]


def save(obj, f, *args, **kwargs):
    raise unsupported("torch.save: a run keeps nothing")


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **kwargs):
    """Tensors and plain values only, whatever `weights_only` says."""
    from ._checkpoints import open_file

    return open_file(f).value


def add_safe_globals(safe_globals):
    pass

"""What register_…_hook returns, and what modules refuse of hooks and arguments."""

import itertools


class RemovableHandle:
    """What register_…_hook returns."""

    _next = itertools.count()

    def __init__(self, hooks):
        self.hooks = hooks
        self.id = next(RemovableHandle._next)

    def remove(self):
        self.hooks.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.remove()


def add_hook(hooks, hook, prepend=False, mark=None):
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    if mark is not None:
        mark.add(handle.id)
    return handle


def keep_to_kind(module, kind):
    """Backward hooks of a module are all "full", or all "regular"."""
    if module.__dict__.setdefault("_kind_of_backward_hooks", kind) != kind:
        raise RuntimeError(
            "Cannot use both regular backward hooks and full backward hooks on a single Module. "
            "Please use only one of them."
        )


def refuse_arguments(name, args, kwargs):
    """What a subclass hands on to Module's own constructor, which takes nothing."""
    for key in kwargs:
        raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{key}'")
    if args:
        raise TypeError(
            f"{name}.__init__() takes 1 positional argument but {len(args) + 1} were given"
        )

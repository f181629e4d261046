"""What a module holds under a path."""

from ..parameter import Parameter


def held(module, target, kind, described):
    """The tensor of `kind` at `target`, such as "blocks.0.weight"; AttributeError where none is."""
    path, _, name = target.rpartition(".")
    owner = module.get_submodule(path)
    if not hasattr(owner, name):
        raise AttributeError(f"{owner._get_name()} has no attribute `{name}`")
    found = getattr(owner, name)
    is_kind = isinstance(found, Parameter) if kind is Parameter else name in owner._buffers
    if not is_kind:
        raise AttributeError(f"`{name}` is not {described}")
    return found

"""A module called with tensors in the place of its own."""

from .._call import call
from .._tensor import Tensor


def functional_call(
    module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False
):
    given = _merged(parameter_and_buffer_dicts)
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    if tie_weights:
        given = _with_aliases(module, given)
    if strict:
        _refuse_other_keys(module, given)
    before = []
    try:
        for name, tensor in given.items():
            before.append(_swap(module, name, tensor))
        return module(*args, **(kwargs or {}))
    finally:
        for put_back in reversed(before):
            put_back()


def _merged(dicts):
    if isinstance(dicts, dict):
        return dict(dicts)
    if not isinstance(dicts, (list, tuple)):
        raise ValueError(
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got "
            f"{type(dicts)}"
        )
    if not all(isinstance(part, dict) for part in dicts):
        raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
    keys = [key for part in dicts for key in part]
    repeated = [key for key in dict.fromkeys(keys) if keys.count(key) > 1]
    if repeated:
        raise ValueError(
            f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous"
        )
    return {key: value for part in dicts for key, value in part.items()}


def _refuse_other_keys(module, given):
    own = {name for name, _ in _named_tensors(module)}
    said = []
    for title, keys in (("Unexpected", set(given) - own), ("Missing", own - set(given))):
        if keys:
            said.append(f"{title} key(s): {', '.join(map(repr, sorted(keys)))}.")
    if said:
        raise RuntimeError(
            f"Error(s) in reparametrizing for {module._get_name()}:\n\t" + "\n\t".join(said)
        )


def _swap(module, name, tensor):
    """Puts `tensor` in the place of what the module has under this name; gives what undoes it."""
    path, _, key = name.rpartition(".")
    owner = _submodule(module, path)
    if tensor is not None and not isinstance(tensor, Tensor):
        raise TypeError(f"{tensor} is not an instance of torch.Tensor")
    for table in (owner._parameters, owner._buffers):
        if key in table:
            before = table[key]
            table[key] = tensor
            return lambda: table.__setitem__(key, before)
    if not hasattr(owner, key):
        setattr(owner, key, tensor)
        return lambda: delattr(owner, key)
    before = getattr(owner, key)
    if before is not None and not isinstance(before, Tensor):
        raise TypeError(f"attribute `{key}`: {before} is not an instance of torch.Tensor")
    setattr(owner, key, tensor)
    return lambda: setattr(owner, key, before)


def _submodule(module, path):
    for key in path.split(".") if path else ():
        if not hasattr(module, key):
            raise AttributeError(f"{module._get_name()} has no attribute `{key}`")
        module = getattr(module, key)
    return module


def _named_tensors(module):
    yield from module.named_parameters(remove_duplicate=False)
    yield from module.named_buffers(remove_duplicate=False)


def _with_aliases(module, given):
    """What replaces a tensor replaces it under all of its names."""
    names = {}
    for name, tensor in _named_tensors(module):
        names.setdefault(id(tensor), []).append(name)
    replaced = dict(given)
    for tied in names.values():
        named = [name for name in tied if name in given]
        if not named:
            continue
        if len({id(given[name]) for name in named}) > 1:
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(tied)}, which are tied. "
                "Consider using tie_weights=False"
            )
        for other in tied:
            replaced.setdefault(other, given[named[0]])
    return replaced


def stack_module_state(models):
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")

    def stacked(walk):
        dicts = [dict(walk(model)) for model in models]
        return {
            key: call("stack", ([d[key] for d in dicts],), {})
            .detach()
            .requires_grad_(d0.requires_grad)
            for key, d0 in dicts[0].items()
        }

    return stacked(lambda m: m.named_parameters()), stacked(lambda m: m.named_buffers())

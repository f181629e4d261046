"""A module called with tensors in the place of its own."""

from .._call import call

_TABLES = ("_parameters", "_buffers")


def functional_call(
    module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False
):
    dicts = parameter_and_buffer_dicts
    given = {}
    for part in [dicts] if isinstance(dicts, dict) else dicts:
        given.update(part)
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    if tie_weights:
        given = _with_aliases(module, given)
    places = [_place(module, name) for name in given]
    before = [table[key] for table, key in places]
    try:
        for (table, key), tensor in zip(places, given.values()):
            table[key] = tensor
        return module(*args, **(kwargs or {}))
    finally:
        for (table, key), tensor in zip(places, before):
            table[key] = tensor


def _place(module, name):
    path, _, key = name.rpartition(".")
    owner = module.get_submodule(path)
    for table in (getattr(owner, attribute) for attribute in _TABLES):
        if key in table:
            return table, key
    raise KeyError(
        f"Unexpected key(s): '{name}' is no parameter or buffer of {type(module).__name__}"
    )


def _with_aliases(module, given):
    """What replaces a tensor replaces it under all of its names."""
    names = {}
    for walk in (module.named_parameters, module.named_buffers):
        for name, tensor in walk(remove_duplicate=False):
            names.setdefault(id(tensor), []).append(name)
    replaced = dict(given)
    for others in names.values():
        for name in others:
            if name in given:
                for other in others:
                    replaced.setdefault(other, given[name])
                break
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

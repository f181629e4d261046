"""Keyword arguments of a layer that go to the functions that make its tensors."""

_OF_TENSORS = ("device", "dtype", "memory_format")


def factory_kwargs(kwargs):
    """What stands under "factory_kwargs", and the options of tensors beside it; raises TypeError for others."""
    if kwargs is None:
        return {}
    unknown = kwargs.keys() - {*_OF_TENSORS, "factory_kwargs"}
    if unknown:
        raise TypeError(f"unexpected kwargs {unknown}")
    found = dict(kwargs.get("factory_kwargs", {}))
    for name in _OF_TENSORS:
        if name in kwargs:
            if name in found:
                raise TypeError(f"{name} specified twice, in **kwargs and in factory_kwargs")
            found[name] = kwargs[name]
    return found

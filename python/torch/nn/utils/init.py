"""torch.nn.utils.init."""

import inspect


def skip_init(module_cls, *args, **kwargs):
    """The module with parameters that nothing was drawn for."""
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    place = kwargs.pop("device", "cpu")
    return module_cls(*args, device="meta", **kwargs).to_empty(device=place)

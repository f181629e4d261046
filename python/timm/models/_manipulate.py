"""Walks over the modules of a model."""

__all__ = ["named_apply"]


def named_apply(fn, module, name="", depth_first=True, include_root=False):
    """Calls `fn(module=…, name=…)` for every module within, its children before it where `depth_first`."""
    if include_root and not depth_first:
        fn(module=module, name=name)
    for child_name, child in module.named_children():
        whole = f"{name}.{child_name}" if name else child_name
        named_apply(fn, child, whole, depth_first, include_root=True)
    if include_root and depth_first:
        fn(module=module, name=name)
    return module

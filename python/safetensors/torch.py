"""safetensors.torch: files of named tensors as state dicts."""

import io as _io

from torch import serialization as _serialization

__all__ = ["load", "load_file", "load_model", "save", "save_file", "save_model"]


def load_file(filename, device="cpu"):
    return _serialization.load(filename)


def load(data):
    return _serialization.load(_io.BytesIO(data))


def load_model(model, filename, strict=True, device="cpu"):
    """Names of one tensor may stand in the file once; gives the names that are missing and unexpected."""
    from torch._weights import fill

    found = fill(model, load_file(filename))
    missing, unexpected = found.missing, found.unexpected
    if found.errors or (strict and (missing or unexpected)):
        lines = [f"Missing key(s): {', '.join(map(repr, missing))}"] if missing else []
        if unexpected:
            lines.append(f"Unexpected key(s): {', '.join(map(repr, unexpected))}")
        text = "\n    ".join([*lines, *found.errors])
        raise RuntimeError(
            f"Error(s) in loading state_dict for {type(model).__name__}:\n    {text}"
        )
    return set(missing), unexpected


def save_file(tensors, filename, metadata=None):
    """To a file that the run alone sees."""
    _refuse_shared(tensors)
    _serialization.save({name: tensor.detach() for name, tensor in tensors.items()}, filename)


def save(tensors, metadata=None):
    _refuse_shared(tensors)
    buffer = _io.BytesIO()
    _serialization.save({name: tensor.detach() for name, tensor in tensors.items()}, buffer)
    return buffer.getvalue()


def save_model(model, filename, metadata=None, force_contiguous=True):
    """Of names that are one tensor the first is kept."""
    kept, known = {}, set()
    for name, tensor in sorted(model.state_dict().items()):
        if tensor.data_ptr() not in known:
            known.add(tensor.data_ptr())
            kept[name] = tensor
    save_file(kept, filename, metadata)


def _refuse_shared(tensors):
    names = {}
    for name, tensor in tensors.items():
        names.setdefault(tensor.untyped_storage().data_ptr(), []).append(name)
    shared = [set(group) for group in names.values() if len(group) > 1]
    if shared:
        raise RuntimeError(
            f"Some tensors share memory, this will lead to duplicate memory on disk: {shared}. "
            "save_model(model, filename) keeps one name of each"
        )

"""safetensors.torch: files of named tensors as state dicts."""

from torch._checkpoints import open_file as _open_file
from torch._unsupported import unsupported as _unsupported

__all__ = ["load_file", "load_model", "save_file", "save_model"]


def load_file(filename, device="cpu"):
    return _open_file(filename).value


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
    raise _unsupported("safetensors.torch.save_file: a run keeps nothing")


def save_model(model, filename, metadata=None, force_contiguous=True):
    raise _unsupported("safetensors.torch.save_model: a run keeps nothing")

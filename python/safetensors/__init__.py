"""safetensors: files of named tensors."""

from torch._checkpoints import open_file as _open_file

__version__ = "0.6.2"
__all__ = ["SafetensorError", "safe_open"]


class SafetensorError(Exception):
    """A name that the file does not have."""


class safe_open:  # noqa: N801
    """A file whose tensors are read one by one."""

    def __init__(self, filename, framework, device="cpu"):
        checkpoint = _open_file(filename)
        self._tensors = checkpoint.value
        self._metadata = checkpoint.metadata

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        return None

    def keys(self):
        return sorted(self._tensors)

    def offset_keys(self):
        return list(self._tensors)

    def metadata(self):
        return dict(self._metadata) or None

    def get_tensor(self, name):
        if name not in self._tensors:
            raise SafetensorError(f"File does not contain tensor {name}")
        return self._tensors[name]

    def get_slice(self, name):
        return _Slice(self.get_tensor(name))


class _Slice:
    def __init__(self, tensor):
        self._tensor = tensor

    def get_shape(self):
        return list(self._tensor.shape)

    def __getitem__(self, index):
        return self._tensor[index]

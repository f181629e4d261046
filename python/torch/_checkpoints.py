"""Checkpoint files as Python values: the host reads them, and their tensors when they are needed."""

import json
import os
from collections import OrderedDict

from . import _dtypes
from ._host import host
from ._tensor import wrap
from ._unsupported import unsupported
from .nn.parameter import Parameter


class Checkpoint:
    """`value`, the path of each file it came from, and the metadata of safetensors."""

    def __init__(self, text, widens=False):
        described = json.loads(text)
        self.format = described["format"]
        self.files = described["files"]
        self.metadata = described["metadata"]
        self._widens = widens
        self.value = self._made(described["tree"])

    def _made(self, tree):
        return getattr(self, "_" + tree[0])(*tree[1:])

    def _none(self):
        return None

    def _bool(self, value):
        return value

    _text = _layout = _bool

    def _int(self, text):
        return int(text)

    def _float(self, text):
        return float({"Infinity": "inf", "-Infinity": "-inf", "NaN": "nan"}.get(text, text))

    def _bytes(self, text):
        return bytes.fromhex(text)

    def _list(self, items):
        return [self._made(item) for item in items]

    def _tuple(self, items):
        return tuple(self._made(item) for item in items)

    def _set(self, items):
        return {self._made(item) for item in items}

    def _size(self, items):
        return _dtypes.Size(self._made(item) for item in items)

    def _dict(self, entries):
        return {self._made(key): self._made(value) for key, value in entries}

    def _ordered(self, entries):
        return OrderedDict((self._made(key), self._made(value)) for key, value in entries)

    def _dtype(self, name):
        return getattr(_dtypes, name)

    def _device(self, name):
        return _dtypes.device(name or "cpu")

    def _tensor(self, index, is_parameter, requires_grad, element):
        if element and not self._widens:
            raise unsupported(f"A tensor of torch.{element}")
        tensor = wrap(host.checkpoint_tensor(index))
        if is_parameter:
            return Parameter(tensor, requires_grad)
        return tensor.requires_grad_() if requires_grad else tensor


def open_file(f):
    """The checkpoint that a script names: a path, or a file that it has opened."""
    path = f if isinstance(f, (str, os.PathLike)) else getattr(f, "name", None)
    if path is None:
        raise unsupported("A checkpoint that is not a file of the workspace")
    path = os.path.abspath(os.fspath(path))
    if not os.path.exists(path):
        raise FileNotFoundError(2, "No such file or directory", str(f))
    return Checkpoint(host.open_checkpoint(path))

"""Padding as modules."""

from .. import functional as F
from .module import Module
from .utils import _ntuple

_MODES = {"Zero": "constant", "Reflection": "reflect", "Replication": "replicate", "Circular": "circular"}

__all__ = [
    "CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d",
    "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d",
    "ReplicationPad3d", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d",
]


class _PadNd(Module):
    _mode = ""
    _axes = 1

    def __init__(self, padding):
        super().__init__()
        self.padding = _ntuple(2 * self._axes)(padding)

    def forward(self, input):
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self):
        return str(self.padding)


class _ConstantPadNd(_PadNd):
    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class _ZeroPadNd(_ConstantPadNd):
    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return str(self.padding)


def _layer(kind, n):
    base = {"Constant": _ConstantPadNd, "Zero": _ZeroPadNd}.get(kind, _PadNd)
    fields = {"_mode": _MODES.get(kind, "constant"), "_axes": n, "__module__": __name__}
    return type(f"{kind}Pad{n}d", (base,), fields)


for _kind in ("Constant", *_MODES):
    for _n in (1, 2, 3):
        globals()[f"{_kind}Pad{_n}d"] = _layer(_kind, _n)

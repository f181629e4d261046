"""Padding as modules."""

from .. import functional as F
from .module import Module
from .utils import _ntuple

__all__ = [
    "CircularPad1d",
    "CircularPad2d",
    "CircularPad3d",
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
]


class _PadNd(Module):
    _mode = "constant"
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


class ZeroPad1d(_ZeroPadNd):
    pass


class ZeroPad2d(_ZeroPadNd):
    _axes = 2


class ZeroPad3d(_ZeroPadNd):
    _axes = 3


class ReflectionPad1d(_PadNd):
    _mode = "reflect"


class ReflectionPad2d(_PadNd):
    _mode = "reflect"
    _axes = 2


class ReflectionPad3d(_PadNd):
    _mode = "reflect"
    _axes = 3


class ReplicationPad1d(_PadNd):
    _mode = "replicate"


class ReplicationPad2d(_PadNd):
    _mode = "replicate"
    _axes = 2


class ReplicationPad3d(_PadNd):
    _mode = "replicate"
    _axes = 3


class CircularPad1d(_PadNd):
    _mode = "circular"


class CircularPad2d(_PadNd):
    _mode = "circular"
    _axes = 2


class CircularPad3d(_PadNd):
    _mode = "circular"
    _axes = 3


class ConstantPad1d(_ConstantPadNd):
    pass


class ConstantPad2d(_ConstantPadNd):
    _axes = 2


class ConstantPad3d(_ConstantPadNd):
    _axes = 3

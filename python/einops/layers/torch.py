"""einops as torch.nn layers."""

from torch.nn.modules.module import Module

from einops import _operations

from ._einmix import EinMix

__all__ = ["EinMix", "Rearrange", "Reduce"]


class _Layer(Module):
    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.axes_lengths = axes_lengths

    def extra_repr(self):
        sizes = "".join(f", {name}={size}" for name, size in self.axes_lengths.items())
        return f"{self.pattern!r}{sizes}"


class Rearrange(_Layer):
    def forward(self, input):
        return _operations.rearrange(input, self.pattern, **self.axes_lengths)


class Reduce(_Layer):
    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__(pattern, **axes_lengths)
        self.reduction = reduction

    def forward(self, input):
        return _operations.reduce(input, self.pattern, self.reduction, **self.axes_lengths)

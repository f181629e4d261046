"""Dropout layers: active in training only."""

from .. import functional as F
from .module import Module

__all__ = ["AlphaDropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d"]


class _Dropout(Module):
    _function = "dropout"

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input):
        return getattr(F, self._function)(input, self.p, self.training, self.inplace)

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropout):
    pass


class Dropout1d(_Dropout):
    _function = "dropout1d"


class Dropout2d(_Dropout):
    _function = "dropout2d"


class Dropout3d(_Dropout):
    _function = "dropout3d"


class AlphaDropout(_Dropout):
    _function = "alpha_dropout"

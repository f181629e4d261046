"""The layers."""

from . import (
    activation,
    adaptive,
    batchnorm,
    container,
    conv,
    distance,
    dropout,
    flatten,
    instancenorm,
    linear,
    loss,
    normalization,
    padding,
    pooling,
    rnn,
    sparse,
    transformer,
    upsampling,
)
from .module import Module  # noqa: F401

_PARTS = (
    activation,
    adaptive,
    batchnorm,
    container,
    conv,
    distance,
    dropout,
    flatten,
    instancenorm,
    linear,
    loss,
    normalization,
    padding,
    pooling,
    rnn,
    sparse,
    transformer,
    upsampling,
)
__all__ = ["Module", *(name for part in _PARTS for name in part.__all__)]
globals().update({name: getattr(part, name) for part in _PARTS for name in part.__all__})

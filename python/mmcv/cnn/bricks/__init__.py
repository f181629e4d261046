"""Layers by configs, and a convolution with its norm and activation."""

from .build import (
    build_activation_layer,
    build_conv_layer,
    build_dropout,
    build_norm_layer,
    build_upsample_layer,
)
from .conv_module import ConvModule, DepthwiseSeparableConvModule
from .drop import Dropout, DropPath
from .scale import Scale

__all__ = [
    "ConvModule",
    "DepthwiseSeparableConvModule",
    "DropPath",
    "Dropout",
    "Scale",
    "build_activation_layer",
    "build_conv_layer",
    "build_dropout",
    "build_norm_layer",
    "build_upsample_layer",
]

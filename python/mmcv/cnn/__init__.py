"""Convolutions with their norm and activation, and what configs build."""

from mmengine.model import (
    bias_init_with_prob,
    caffe2_xavier_init,
    constant_init,
    kaiming_init,
    normal_init,
    trunc_normal_init,
    uniform_init,
    xavier_init,
)
from mmengine.registry import MODELS
from torch.nn import Conv2d, Conv3d, ConvTranspose2d, ConvTranspose3d, Linear, MaxPool2d

from .bricks import (
    ConvModule,
    DepthwiseSeparableConvModule,
    DropPath,
    Scale,
    build_activation_layer,
    build_conv_layer,
    build_dropout,
    build_norm_layer,
    build_upsample_layer,
)

__all__ = [
    "MODELS",
    "Conv2d",
    "Conv3d",
    "ConvModule",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "DepthwiseSeparableConvModule",
    "DropPath",
    "Linear",
    "MaxPool2d",
    "Scale",
    "bias_init_with_prob",
    "build_activation_layer",
    "build_conv_layer",
    "build_dropout",
    "build_norm_layer",
    "build_upsample_layer",
    "caffe2_xavier_init",
    "constant_init",
    "kaiming_init",
    "normal_init",
    "trunc_normal_init",
    "uniform_init",
    "xavier_init",
]

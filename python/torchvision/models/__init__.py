"""ResNets and VGGs, with initial values; other models are not here."""

import sys

from normscope_boot.imports import give_placeholders

from . import resnet, vgg  # noqa: F401
from .resnet import (  # noqa: F401
    ResNet,
    resnet18,
    resnet34,
    resnet50,
    resnet101,
    resnet152,
    resnext50_32x4d,
    resnext101_32x8d,
    resnext101_64x4d,
    wide_resnet50_2,
    wide_resnet101_2,
)
from .vgg import (  # noqa: F401
    VGG,
    vgg11,
    vgg11_bn,
    vgg13,
    vgg13_bn,
    vgg16,
    vgg16_bn,
    vgg19,
    vgg19_bn,
)

give_placeholders(sys.modules[__name__])

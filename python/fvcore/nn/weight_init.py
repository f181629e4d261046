"""Initialisations of layers as Caffe2 has them; biases are 0."""

from torch import nn


def c2_xavier_fill(module):
    nn.init.kaiming_uniform_(module.weight, a=1)
    _no_bias(module)


def c2_msra_fill(module):
    nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
    _no_bias(module)


def _no_bias(module):
    if module.bias is not None:
        nn.init.constant_(module.bias, 0)

"""First values of a module's weight, and of its bias."""

import math

from torch import nn
from torch.nn.init import trunc_normal_


def constant_init(module, val, bias=0):
    _filled(module, lambda weight: nn.init.constant_(weight, val), bias)


def xavier_init(module, gain=1, bias=0, distribution="normal"):
    fill = nn.init.xavier_uniform_ if distribution == "uniform" else nn.init.xavier_normal_
    _filled(module, lambda weight: fill(weight, gain=gain), bias)


def normal_init(module, mean=0, std=1, bias=0):
    _filled(module, lambda weight: nn.init.normal_(weight, mean, std), bias)


def trunc_normal_init(module, mean=0, std=1, a=-2, b=2, bias=0):
    _filled(module, lambda weight: trunc_normal_(weight, mean, std, a, b), bias)


def uniform_init(module, a=0, b=1, bias=0):
    _filled(module, lambda weight: nn.init.uniform_(weight, a, b), bias)


def kaiming_init(module, a=0, mode="fan_out", nonlinearity="relu", bias=0, distribution="normal"):
    fill = nn.init.kaiming_uniform_ if distribution == "uniform" else nn.init.kaiming_normal_
    _filled(module, lambda weight: fill(weight, a=a, mode=mode, nonlinearity=nonlinearity), bias)


def caffe2_xavier_init(module, bias=0):
    kaiming_init(module, 1, "fan_in", "leaky_relu", bias, "uniform")


def bias_init_with_prob(prior_prob):
    """The bias at which a sigmoid gives `prior_prob`."""
    return float(-math.log((1 - prior_prob) / prior_prob))


def _filled(module, fill, bias):
    if getattr(module, "weight", None) is not None:
        fill(module.weight)
    if getattr(module, "bias", None) is not None:
        nn.init.constant_(module.bias, bias)

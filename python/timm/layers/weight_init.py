"""Fills with truncated normal numbers, by the inverse of the distribution."""

import math

import torch
from torch.nn.init import _calculate_fan_in_and_fan_out

# The standard deviation of a standard normal number that is cut off at ±2.
_CUT_STD = 0.87962566103423978


def _below(x):
    return (1 + math.erf(x / math.sqrt(2))) / 2


def _fill(tensor, mean, std, a, b):
    low, high = _below((a - mean) / std), _below((b - mean) / std)
    tensor.uniform_(2 * low - 1, 2 * high - 1)
    tensor.erfinv_()
    return tensor.mul_(std * math.sqrt(2)).add_(mean).clamp_(min=a, max=b)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    """Cut off at `a` and `b` themselves."""
    with torch.no_grad():
        return _fill(tensor, mean, std, a, b)


def trunc_normal_tf_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    """Cut off at `a` and `b` standard deviations."""
    with torch.no_grad():
        _fill(tensor, 0, 1.0, a, b)
        return tensor.mul_(std).add_(mean)


def variance_scaling_(tensor, scale=1.0, mode="fan_in", distribution="normal"):
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[mode]
    variance = scale / fan
    if distribution == "truncated_normal":
        trunc_normal_tf_(tensor, std=math.sqrt(variance) / _CUT_STD)
        return
    with torch.no_grad():
        if distribution == "normal":
            tensor.normal_(std=math.sqrt(variance))
        elif distribution == "uniform":
            bound = math.sqrt(3 * variance)
            tensor.uniform_(-bound, bound)
        else:
            raise ValueError(f"invalid distribution {distribution}")


def lecun_normal_(tensor):
    variance_scaling_(tensor, mode="fan_in", distribution="truncated_normal")

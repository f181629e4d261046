"""Initializers as models of transformers call them: those of torch.nn.init, and two more."""

import math

import torch
from torch.nn import init
from torch.nn.init import (  # noqa: F401
    constant_,
    dirac_,
    eye_,
    kaiming_normal_,
    kaiming_uniform_,
    normal_,
    ones_,
    orthogonal_,
    sparse_,
    trunc_normal_,
    uniform_,
    xavier_normal_,
    xavier_uniform_,
    zeros_,
)


def copy_(tensor, other):
    with torch.no_grad():
        return tensor.copy_(other)


def _std_of_fan_in(tensor):
    fan_in, _ = init._calculate_fan_in_and_fan_out(tensor)
    return math.sqrt(1.0 / fan_in)


# Of a normal distribution that is cut at two standard deviations.
_STD_OF_CUT = 0.87962566103423978


def lecun_normal_(tensor):
    return trunc_normal_(tensor, std=_std_of_fan_in(tensor) / _STD_OF_CUT)


def default_flax_embed_init_(tensor):
    return normal_(tensor, std=_std_of_fan_in(tensor))

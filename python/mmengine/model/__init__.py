"""Modules that know how their weights begin."""

from .base_module import BaseModule, ModuleDict, ModuleList, Sequential
from .weight_init import (
    bias_init_with_prob,
    caffe2_xavier_init,
    constant_init,
    kaiming_init,
    normal_init,
    trunc_normal_,
    trunc_normal_init,
    uniform_init,
    xavier_init,
)

# Wholes that only a training loop needs.
BaseModel = BaseModule

__all__ = [
    "BaseModel",
    "BaseModule",
    "ModuleDict",
    "ModuleList",
    "Sequential",
    "bias_init_with_prob",
    "caffe2_xavier_init",
    "constant_init",
    "kaiming_init",
    "normal_init",
    "trunc_normal_",
    "trunc_normal_init",
    "uniform_init",
    "xavier_init",
]

"""Registries, tuples and messages."""

from mmengine.config import Config, ConfigDict
from mmengine.logging import get_logger, print_log
from mmengine.registry import Registry, build_from_cfg
from mmengine.utils import (
    deprecated_api_warning,
    is_list_of,
    is_seq_of,
    is_str,
    is_tuple_of,
    to_1tuple,
    to_2tuple,
    to_3tuple,
    to_4tuple,
    to_ntuple,
)
from torch.nn.modules.batchnorm import _BatchNorm

__all__ = [
    "Config",
    "ConfigDict",
    "Registry",
    "_BatchNorm",
    "build_from_cfg",
    "deprecated_api_warning",
    "get_logger",
    "is_list_of",
    "is_seq_of",
    "is_str",
    "is_tuple_of",
    "print_log",
    "to_1tuple",
    "to_2tuple",
    "to_3tuple",
    "to_4tuple",
    "to_ntuple",
]

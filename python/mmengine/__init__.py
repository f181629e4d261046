"""OpenMMLab's base: registries, modules with init_cfg, and first values of weights."""

from .config import Config, ConfigDict
from .logging import print_log
from .registry import Registry, build_from_cfg
from .utils import is_list_of, is_seq_of, is_str, is_tuple_of

__all__ = [
    "Config",
    "ConfigDict",
    "Registry",
    "build_from_cfg",
    "is_list_of",
    "is_seq_of",
    "is_str",
    "is_tuple_of",
    "print_log",
]

"""Base classes, and decorators for half precision, which a run on the CPU does not use."""

from mmengine.model import BaseModule, ModuleDict, ModuleList, Sequential
from mmengine.registry import HOOKS


def auto_fp16(apply_to=None, out_fp32=False, **options):
    return lambda function: function


def force_fp32(apply_to=None, out_fp16=False):
    return lambda function: function


def get_dist_info():
    """Rank, and how many there are."""
    return 0, 1


__all__ = [
    "HOOKS",
    "BaseModule",
    "ModuleDict",
    "ModuleList",
    "Sequential",
    "auto_fp16",
    "force_fp32",
    "get_dist_info",
]

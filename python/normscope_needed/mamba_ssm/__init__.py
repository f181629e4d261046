"""Selective state spaces: the layers and functions of Mamba, computed step by step."""

from normscope_boot.assumptions import assume

from .modules.mamba_simple import Mamba
from .ops.selective_scan_interface import mamba_inner_fn, selective_scan_fn

__all__ = ["Mamba", "mamba_inner_fn", "selective_scan_fn"]
__version__ = "2.2.4"

assume("'mamba_ssm' is not here: its scans are computed step by step, in PyTorch's own operations")

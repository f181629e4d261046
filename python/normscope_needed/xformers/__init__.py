"""Attention and gated layers of xFormers that are PyTorch's own in other words."""

from normscope_boot.assumptions import assume

__version__ = "0.0.28"

assume("'xformers' is not here: its attention is computed as PyTorch's own")

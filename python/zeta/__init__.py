"""Layers of zeta (zetascale) that model files use, under the names that they import them by."""

from . import nn  # noqa: F401
from .nn import MultiQueryAttention, OutputHead, SimpleRMSNorm  # noqa: F401

__version__ = "2.8.8"

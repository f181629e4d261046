"""Model parallelism on one rank: its layers are plain layers."""

from . import nn  # noqa: F401

__version__ = "0.4.13"

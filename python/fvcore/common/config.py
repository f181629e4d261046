"""Settings as attributes."""

from yacs.config import CfgNode  # noqa: F401

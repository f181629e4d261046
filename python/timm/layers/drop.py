"""Dropping of whole branches."""

from .blocks import DropPath, drop_path  # noqa: F401

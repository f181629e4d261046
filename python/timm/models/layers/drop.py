"""Where `timm.layers.drop` was before."""

from ...layers.blocks import DropPath, drop_path  # noqa: F401

"""Messages."""

from mmengine.logging import get_root_logger

__all__ = ["get_root_logger"]

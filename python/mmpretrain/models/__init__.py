"""What configs build."""

from .builder import BACKBONES, HEADS, LOSSES, NECKS, build_backbone, build_head, build_loss

__all__ = ["BACKBONES", "HEADS", "LOSSES", "NECKS", "build_backbone", "build_head", "build_loss"]

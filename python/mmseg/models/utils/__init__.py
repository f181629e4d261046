"""Images of another size, by their newer place."""

from mmseg.ops import Upsample, resize

__all__ = ["Upsample", "resize"]

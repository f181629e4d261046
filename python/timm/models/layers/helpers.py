"""Where `timm.layers.helpers` was before."""

from ...layers.helpers import *  # noqa: F403

"""Where `timm.layers.weight_init` was before."""

from ...layers.weight_init import *  # noqa: F403

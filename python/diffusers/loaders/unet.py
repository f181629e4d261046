"""Where UNet2DConditionLoadersMixin stands."""

from . import UNet2DConditionLoadersMixin  # noqa: F401

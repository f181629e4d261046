"""Where ModelMixin was before `diffusers.models.modeling_utils`."""

from .models.modeling_utils import ModelMixin

__all__ = ["ModelMixin"]

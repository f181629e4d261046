"""Where attention was before `diffusers.models.attention_processor`."""

from .attention_processor import (  # noqa: F401
    Attention,
    AttnAddedKVProcessor,
    AttnProcessor,
    AttnProcessor2_0,
    SpatialNorm,
)

CrossAttention, CrossAttnProcessor = Attention, AttnProcessor
CrossAttnAddedKVProcessor = AttnAddedKVProcessor

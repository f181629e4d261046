"""Layers and helpers, with timm's numbers."""

from .attention import Attention
from .blocks import (
    DropPath,
    LayerNorm,
    LayerNorm2d,
    LayerScale,
    Mlp,
    PatchEmbed,
    RmsNorm,
    drop_path,
)
from .squeeze import EffectiveSEModule, EffectiveSqueezeExcite, SEModule, SqueezeExcite
from .helpers import make_divisible, to_1tuple, to_2tuple, to_3tuple, to_4tuple, to_ntuple
from .weight_init import lecun_normal_, trunc_normal_, trunc_normal_tf_, variance_scaling_

__all__ = [
    "Attention",
    "DropPath",
    "EffectiveSEModule",
    "EffectiveSqueezeExcite",
    "LayerNorm",
    "LayerNorm2d",
    "LayerScale",
    "Mlp",
    "PatchEmbed",
    "RmsNorm",
    "SEModule",
    "SqueezeExcite",
    "drop_path",
    "lecun_normal_",
    "make_divisible",
    "to_1tuple",
    "to_2tuple",
    "to_3tuple",
    "to_4tuple",
    "to_ntuple",
    "trunc_normal_",
    "trunc_normal_tf_",
    "use_fused_attn",
    "variance_scaling_",
]


def use_fused_attn(experimental=False):
    return not experimental

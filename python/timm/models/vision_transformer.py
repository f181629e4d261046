"""The block of a vision transformer."""

from torch import nn

from ..data import IMAGENET_INCEPTION_MEAN, IMAGENET_INCEPTION_STD
from ..layers import Attention, DropPath, LayerScale, Mlp, PatchEmbed, trunc_normal_  # noqa: F401


def _cfg(url="", **kwargs):
    """How a checkpoint of the model is described."""
    described = {
        "url": url,
        "num_classes": 1000,
        "input_size": (3, 224, 224),
        "pool_size": None,
        "crop_pct": 0.9,
        "interpolation": "bicubic",
        "fixed_input_size": True,
        "mean": IMAGENET_INCEPTION_MEAN,
        "std": IMAGENET_INCEPTION_STD,
        "first_conv": "patch_embed.proj",
        "classifier": "head",
    }
    return described | kwargs


class Block(nn.Module):
    """Pre-norm: attention, then an MLP, each added to what it takes."""

    def __init__(
        self,
        dim,
        num_heads,
        mlp_ratio=4.0,
        qkv_bias=False,
        qk_norm=False,
        scale_attn_norm=False,
        scale_mlp_norm=False,
        proj_bias=True,
        proj_drop=0.0,
        attn_drop=0.0,
        init_values=None,
        drop_path=0.0,
        act_layer=nn.GELU,
        norm_layer=nn.LayerNorm,
        mlp_layer=Mlp,
        device=None,
        dtype=None,
    ):
        super().__init__()
        options = {"device": device, "dtype": dtype}
        self.norm1 = norm_layer(dim, **options)
        self.attn = Attention(
            dim,
            num_heads,
            qkv_bias,
            qk_norm,
            scale_attn_norm,
            proj_bias,
            attn_drop,
            proj_drop,
            norm_layer,
            **options,
        )
        self.ls1 = LayerScale(dim, init_values, **options) if init_values else nn.Identity()
        self.drop_path1 = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()
        self.norm2 = norm_layer(dim, **options)
        self.mlp = mlp_layer(
            in_features=dim,
            hidden_features=int(dim * mlp_ratio),
            act_layer=act_layer,
            norm_layer=norm_layer if scale_mlp_norm else None,
            bias=proj_bias,
            drop=proj_drop,
            **options,
        )
        self.ls2 = LayerScale(dim, init_values, **options) if init_values else nn.Identity()
        self.drop_path2 = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()

    def forward(self, x, attn_mask=None, is_causal=False):
        x = x + self.drop_path1(
            self.ls1(self.attn(self.norm1(x), attn_mask=attn_mask, is_causal=is_causal))
        )
        return x + self.drop_path2(self.ls2(self.mlp(self.norm2(x))))

"""The vision transformer, which files derive their own from; no trained weights."""

import math

import torch
from torch import nn
from torch._unsupported import unsupported
from torch.utils.checkpoint import checkpoint_sequential

from ..data import IMAGENET_INCEPTION_MEAN, IMAGENET_INCEPTION_STD
from ..layers import (
    Attention,
    DropPath,
    LayerNorm,
    LayerScale,
    Mlp,
    PatchEmbed,
    RmsNorm,  # noqa: F401
    lecun_normal_,  # noqa: F401
    trunc_normal_,
    use_fused_attn,  # noqa: F401
)


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
        attn_layer=None,
        depth=0,
        device=None,
        dtype=None,
        qk_scale=None,
        drop=None,
    ):
        """`qk_scale`: of timm before 0.5, where None is what all later ones do; `drop` of those before 0.9 is `proj_drop`."""
        if qk_scale is not None:
            raise unsupported("timm's Block(qk_scale=…)")
        proj_drop = proj_drop if drop is None else drop
        super().__init__()
        options = {"device": device, "dtype": dtype}
        self.norm1 = norm_layer(dim, **options)
        self.attn = (attn_layer or Attention)(
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


class VisionTransformer(nn.Module):
    """Images [B, C, H, W] as logits [B, num_classes], of one size and with learnt positions."""

    def __init__(
        self,
        img_size=224,
        patch_size=16,
        in_chans=3,
        num_classes=1000,
        global_pool="token",
        embed_dim=768,
        depth=12,
        num_heads=12,
        mlp_ratio=4.0,
        qkv_bias=True,
        qk_norm=False,
        scale_attn_norm=False,
        scale_mlp_norm=False,
        proj_bias=True,
        init_values=None,
        class_token=True,
        pos_embed="learn",
        no_embed_class=False,
        reg_tokens=0,
        pre_norm=False,
        final_norm=True,
        fc_norm=None,
        pool_include_prefix=False,
        dynamic_img_size=False,
        dynamic_img_pad=False,
        drop_rate=0.0,
        pos_drop_rate=0.0,
        patch_drop_rate=0.0,
        proj_drop_rate=0.0,
        attn_drop_rate=0.0,
        drop_path_rate=0.0,
        weight_init="",
        fix_init=False,
        embed_layer=PatchEmbed,
        embed_norm_layer=None,
        norm_layer=None,
        act_layer=None,
        block_fn=Block,
        mlp_layer=Mlp,
        attn_layer=None,
        device=None,
        dtype=None,
    ):
        super().__init__()
        _refuse(
            global_pool=global_pool in ("map", "prr"),
            dynamic_img_size=dynamic_img_size,
            patch_drop_rate=patch_drop_rate > 0,
            weight_init=weight_init not in ("", "skip"),
        )
        assert class_token or global_pool != "token"
        options = {"device": device, "dtype": dtype}
        norm_layer, act_layer = norm_layer or LayerNorm, act_layer or nn.GELU
        self.num_classes, self.in_chans, self.global_pool = num_classes, in_chans, global_pool
        self.num_features = self.head_hidden_size = self.embed_dim = embed_dim
        self.num_reg_tokens = reg_tokens
        self.num_prefix_tokens = int(class_token) + reg_tokens
        self.has_class_token = class_token
        self.no_embed_class = no_embed_class
        self.pool_include_prefix = pool_include_prefix
        self.dynamic_img_size = False
        self.grad_checkpointing = False

        self.patch_embed = embed_layer(
            img_size=img_size,
            patch_size=patch_size,
            in_chans=in_chans,
            embed_dim=embed_dim,
            # A norm before the blocks has a bias of its own.
            bias=not pre_norm,
            dynamic_img_pad=dynamic_img_pad,
            **({} if embed_norm_layer is None else {"norm_layer": embed_norm_layer}),
            **options,
        )

        def tokens(count):
            return nn.Parameter(torch.empty(1, count, embed_dim, **options)) if count else None

        self.cls_token, self.reg_token = tokens(int(class_token)), tokens(reg_tokens)
        prefix = 0 if no_embed_class else self.num_prefix_tokens
        learns = pos_embed not in ("", "none")
        self.pos_embed = tokens((self.patch_embed.num_patches + prefix) * learns)
        self.pos_drop = nn.Dropout(pos_drop_rate)
        self.patch_drop = nn.Identity()
        self.norm_pre = norm_layer(embed_dim, **options) if pre_norm else nn.Identity()
        self.blocks = nn.Sequential(
            *(
                block_fn(
                    dim=embed_dim,
                    num_heads=num_heads,
                    mlp_ratio=mlp_ratio,
                    qkv_bias=qkv_bias,
                    qk_norm=qk_norm,
                    scale_attn_norm=scale_attn_norm,
                    scale_mlp_norm=scale_mlp_norm,
                    proj_bias=proj_bias,
                    init_values=init_values,
                    proj_drop=proj_drop_rate,
                    attn_drop=attn_drop_rate,
                    drop_path=rate.item(),
                    norm_layer=norm_layer,
                    act_layer=act_layer,
                    mlp_layer=mlp_layer,
                    attn_layer=attn_layer or Attention,
                    depth=at,
                    **options,
                )
                for at, rate in enumerate(torch.linspace(0, drop_path_rate, depth, device="cpu"))
            )
        )
        pools = global_pool in ("avg", "avgmax", "max") if fc_norm is None else fc_norm

        def norm(is_there):
            return norm_layer(embed_dim, **options) if is_there else nn.Identity()

        self.norm = norm(final_norm and not pools)
        self.attn_pool = None
        self.fc_norm = norm(final_norm and pools)
        self.head_drop = nn.Dropout(drop_rate)
        self.head = (
            nn.Linear(embed_dim, num_classes, **options) if num_classes > 0 else nn.Identity()
        )
        self.fix_init = fix_init
        if weight_init != "skip":
            self.init_weights()

    def init_weights(self, mode="", needs_reset=False):
        _refuse(mode=mode != "")
        if self.pos_embed is not None:
            trunc_normal_(self.pos_embed, std=0.02)
        for token in (self.cls_token, self.reg_token):
            if token is not None:
                nn.init.normal_(token, std=1e-6)
        for child in self.children():
            child.apply(self._init_weights)
        if self.fix_init:
            self.fix_init_weight()

    def fix_init_weight(self):
        """Branches of later blocks begin smaller."""
        with torch.no_grad():
            for at, layer in enumerate(self.blocks):
                layer.attn.proj.weight.div_(math.sqrt(2.0 * (at + 1)))
                layer.mlp.fc2.weight.div_(math.sqrt(2.0 * (at + 1)))

    def _init_weights(self, m):
        if isinstance(m, nn.Linear):
            trunc_normal_(m.weight, std=0.02)
            if m.bias is not None:
                nn.init.zeros_(m.bias)
        elif hasattr(m, "init_weights"):
            m.init_weights()

    def no_weight_decay(self):
        return {"pos_embed", "cls_token", "reg_token", "dist_token"}

    def set_grad_checkpointing(self, enable=True):
        self.grad_checkpointing = enable

    def get_classifier(self):
        return self.head

    def reset_classifier(self, num_classes, global_pool=None):
        self.num_classes = num_classes
        self.global_pool = self.global_pool if global_pool is None else global_pool
        self.head = nn.Linear(self.embed_dim, num_classes) if num_classes > 0 else nn.Identity()

    def _pos_embed(self, x):
        given = [token for token in (self.cls_token, self.reg_token) if token is not None]
        prefix = [token.expand(x.shape[0], -1, -1) for token in given]
        if self.no_embed_class and self.pos_embed is not None:
            x = x + self.pos_embed
        if prefix:
            x = torch.cat((*prefix, x), dim=1)
        if self.pos_embed is None:
            return x
        return self.pos_drop(x if self.no_embed_class else x + self.pos_embed)

    def forward_features(self, x, attn_mask=None, is_causal=False):
        x = self.norm_pre(self.patch_drop(self._pos_embed(self.patch_embed(x))))
        if attn_mask is not None or is_causal:
            for block in self.blocks:
                x = block(x, attn_mask=attn_mask, is_causal=is_causal)
        elif self.grad_checkpointing:
            x = checkpoint_sequential(self.blocks, len(self.blocks), x, use_reentrant=False)
        else:
            x = self.blocks(x)
        return self.norm(x)

    def pool(self, x, pool_type=None):
        kind = self.global_pool if pool_type is None else pool_type
        if kind == "token":
            return x[:, 0]
        if not self.pool_include_prefix and kind:
            x = x[:, self.num_prefix_tokens :]
        if kind == "avg":
            return x.mean(dim=1)
        if kind == "avgmax":
            return 0.5 * (x.amax(dim=1) + x.mean(dim=1))
        return x.amax(dim=1) if kind == "max" else x

    def forward_head(self, x, pre_logits=False):
        x = self.head_drop(self.fc_norm(self.pool(x)))
        return x if pre_logits else self.head(x)

    def forward(self, x, attn_mask=None, is_causal=False):
        return self.forward_head(self.forward_features(x, attn_mask, is_causal))


def _refuse(**asked):
    for name, is_asked in asked.items():
        if is_asked:
            raise unsupported(f"timm.models.VisionTransformer with this {name}")

"""Attention of a sequence to itself."""

import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    """[B, N, dim] to the same."""

    def __init__(
        self,
        dim,
        num_heads=8,
        qkv_bias=False,
        qk_norm=False,
        scale_norm=False,
        proj_bias=True,
        attn_drop=0.0,
        proj_drop=0.0,
        norm_layer=None,
        device=None,
        dtype=None,
    ):
        super().__init__()
        options = {"device": device, "dtype": dtype}
        assert dim % num_heads == 0, "dim should be divisible by num_heads"
        self.num_heads = num_heads
        self.head_dim = dim // num_heads
        self.scale = self.head_dim**-0.5
        self.fused_attn = True
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias, **options)
        self.q_norm = norm_layer(self.head_dim, **options) if qk_norm else nn.Identity()
        self.k_norm = norm_layer(self.head_dim, **options) if qk_norm else nn.Identity()
        self.attn_drop = nn.Dropout(attn_drop)
        self.norm = norm_layer(dim, **options) if scale_norm else nn.Identity()
        self.proj = nn.Linear(dim, dim, bias=proj_bias, **options)
        self.proj_drop = nn.Dropout(proj_drop)

    def forward(self, x, attn_mask=None, is_causal=False):
        batch, length, width = x.shape
        heads = self.qkv(x).reshape(batch, length, 3, self.num_heads, self.head_dim)
        q, k, v = heads.permute(2, 0, 3, 1, 4).unbind(0)
        q, k = self.q_norm(q), self.k_norm(k)
        p = self.attn_drop.p if self.training else 0.0
        x = F.scaled_dot_product_attention(
            q, k, v, attn_mask=attn_mask, dropout_p=p, is_causal=is_causal
        )
        x = x.transpose(1, 2).reshape(batch, length, width)
        return self.proj_drop(self.proj(self.norm(x)))

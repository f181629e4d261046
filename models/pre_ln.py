"""A decoder with the normalisation before each branch (Pre-LN), as in GPT-2 and LLaMA.

    x = x + Attention(Norm(x))
    x = x + FFN(Norm(x))

The residual stream is never normalised and grows with depth; the final norm divides it out again.
That division is why the gradient of the last layers falls as 1/sqrt(n_layers) at initialisation.
Xiong et al. 2020, "On Layer Normalization in the Transformer Architecture",
https://arxiv.org/abs/2002.04745
"""
from typing import Literal

import torch
from torch import nn
import torch.nn.functional as F


class RMSNorm(nn.Module):
    """y = g * x / sqrt(mean(x^2) + eps): no mean is removed, and eps stands inside the root.

    Zhang and Sennrich 2019, "Root Mean Square Layer Normalization",
    https://arxiv.org/abs/1910.07467
    """

    def __init__(self, d_model: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        inverse_rms = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
        return self.weight * (x * inverse_rms)


class CausalSelfAttention(nn.Module):
    """softmax(q k^T / sqrt(d_head)) v per head; a position sees itself and those before it."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.n_heads, -1).transpose(1, 2)  # [B, heads, T, d_head]
        k = self.k_proj(x).view(B, T, self.n_heads, -1).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.n_heads, -1).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        y = y.transpose(1, 2).reshape(B, T, C)
        return self.out_proj(y)


class FeedForward(nn.Module):
    """W2 gelu(W1 x + b1) + b2, for each position on its own."""

    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class PreLNBlock(nn.Module):
    """x + attn(norm1(x)), then x + ffn(norm2(x)): the stream passes by both norms untouched."""

    def __init__(self, d_model: int, attn: nn.Module, ffn: nn.Module, norm_cls=nn.LayerNorm):
        super().__init__()
        self.norm1 = norm_cls(d_model)
        self.attn = attn
        self.norm2 = norm_cls(d_model)
        self.ffn = ffn

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        x = x + self.ffn(self.norm2(x))
        return x


class PreLNTransformer(nn.Module):
    """Tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 256,
        d_model: int = 128,
        n_layers: int = 12,
        n_heads: int = 4,
        d_ff: int = 512,
        max_len: int = 256,
        norm: Literal["LayerNorm", "RMSNorm"] = "LayerNorm",
    ):
        super().__init__()
        norm_cls = {"LayerNorm": nn.LayerNorm, "RMSNorm": RMSNorm}[norm]
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Embedding(max_len, d_model)
        self.blocks = nn.ModuleList([
            PreLNBlock(
                d_model,
                CausalSelfAttention(d_model, n_heads),
                FeedForward(d_model, d_ff),
                norm_cls,
            )
            for _ in range(n_layers)
        ])
        self.final_norm = norm_cls(d_model)
        self.head = nn.Linear(d_model, vocab_size, bias=False)
        self.apply(self._init_weights)
        nn.init.normal_(self.head.weight, std=d_model**-0.5)

    def _init_weights(self, module):
        # Each matrix on its own: Xavier over a fused q, k, v would shrink each by sqrt(2).
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                nn.init.zeros_(module.bias)

    def forward(self, idx):
        positions = torch.arange(idx.shape[1], device=idx.device)
        x = self.token_embedding(idx) + self.position_embedding(positions)
        for block in self.blocks:
            x = block(x)
        return self.head(self.final_norm(x))

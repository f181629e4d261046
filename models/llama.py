"""LLaMA 1, 2 and 3: a decoder with RMSNorm before each branch and a final one.

    x = x + Attention(RMSNorm(x))
    x = x + SwiGLU(RMSNorm(x))

No projection has a bias; positions turn the queries and keys (RoPE). From Llama 2 70B on, groups of
query heads share one key and value head. The names of the parameters are those of the checkpoints
for Hugging Face transformers, which load as they stand.
Touvron et al. 2023, "LLaMA: Open and Efficient Foundation Language Models",
https://arxiv.org/abs/2302.13971
"""
import math

import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("Pre-norm and a final norm", "Touvron et al. 2023, section 2.2"),
    "norm": ("RMSNorm", "meta-llama/llama, llama/model.py"),
    "eps": ("1e-6 in LLaMA 1, 1e-5 since, inside the root", "released params.json"),
    "attention": ("causal; grouped queries in 70B and Llama 3", "Grattafiori et al. 2024, table 3"),
    "positions": ("RoPE, base 1e4; 5e5 in Llama 3", "Grattafiori et al. 2024, section 3.2"),
    "feed-forward": ("SwiGLU", "Touvron et al. 2023, section 2.2"),
    "initialisation": ("not disclosed; 0.02 is an assumption", ""),
}

PRESETS = {
    "tiny": dict(),
    "llama-7b": dict(
        vocab_size=32000, d_model=4096, n_layers=32, n_heads=32, n_kv_heads=32, d_ff=11008,
        max_len=2048, eps=1e-6,
    ),
    "llama-13b": dict(
        vocab_size=32000, d_model=5120, n_layers=40, n_heads=40, n_kv_heads=40, d_ff=13824,
        max_len=2048, eps=1e-6,
    ),
    "llama-33b": dict(
        vocab_size=32000, d_model=6656, n_layers=60, n_heads=52, n_kv_heads=52, d_ff=17920,
        max_len=2048, eps=1e-6,
    ),
    "llama-65b": dict(
        vocab_size=32000, d_model=8192, n_layers=80, n_heads=64, n_kv_heads=64, d_ff=22016,
        max_len=2048, eps=1e-6,
    ),
    "llama-2-7b": dict(
        vocab_size=32000, d_model=4096, n_layers=32, n_heads=32, n_kv_heads=32, d_ff=11008,
        max_len=4096, eps=1e-5,
    ),
    "llama-2-13b": dict(
        vocab_size=32000, d_model=5120, n_layers=40, n_heads=40, n_kv_heads=40, d_ff=13824,
        max_len=4096, eps=1e-5,
    ),
    "llama-2-70b": dict(
        vocab_size=32000, d_model=8192, n_layers=80, n_heads=64, n_kv_heads=8, d_ff=28672,
        max_len=4096, eps=1e-5,
    ),
    "llama-3-8b": dict(
        vocab_size=128256, d_model=4096, n_layers=32, n_heads=32, n_kv_heads=8, d_ff=14336,
        max_len=8192, eps=1e-5, rope_base=500000.0,
    ),
    "llama-3-70b": dict(
        vocab_size=128256, d_model=8192, n_layers=80, n_heads=64, n_kv_heads=8, d_ff=28672,
        max_len=8192, eps=1e-5, rope_base=500000.0,
    ),
    "llama-3.1-405b": dict(
        vocab_size=128256, d_model=16384, n_layers=126, n_heads=128, n_kv_heads=8, d_ff=53248,
        max_len=131072, eps=1e-5, rope_base=500000.0, rope_stretch=8.0,
    ),
}


class RMSNorm(nn.Module):
    """y = g * x / sqrt(mean(x^2) + eps)."""

    def __init__(self, d_model: int, eps: float):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps))


def rotary_angles(length: int, d_head: int, base: float, stretch: float = 1.0):
    """cos and sin of position * base^(-2i / d_head), each [length, d_head / 2].

    Llama 3.1 divides by `stretch` the frequencies that turn less than once within the 8192
    positions of the first training, keeps those that turn more than four times, and blends between.
    """
    frequencies = 1.0 / base ** (torch.arange(0, d_head, 2).float() / d_head)
    if stretch != 1.0:
        turns = 8192 * frequencies / (2 * math.pi)
        kept = ((turns - 1.0) / (4.0 - 1.0)).clamp(0.0, 1.0)
        frequencies = kept * frequencies + (1.0 - kept) * frequencies / stretch
    angles = torch.arange(length).float()[:, None] * frequencies
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
    """Turns each pair (x_i, x_(i + d_head / 2)) by its angle."""
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)


class Attention(nn.Module):
    """softmax(q k^T / sqrt(d_head)) v, where n_heads / n_kv_heads query heads share k and v."""

    def __init__(self, d_model: int, n_heads: int, n_kv_heads: int):
        super().__init__()
        d_head = d_model // n_heads
        self.n_heads = n_heads
        self.n_kv_heads = n_kv_heads
        self.q_proj = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.k_proj = nn.Linear(d_model, n_kv_heads * d_head, bias=False)
        self.v_proj = nn.Linear(d_model, n_kv_heads * d_head, bias=False)
        self.o_proj = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x, cos, sin):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.n_heads, -1).transpose(1, 2)  # [B, heads, T, d_head]
        k = self.k_proj(x).view(B, T, self.n_kv_heads, -1).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.n_kv_heads, -1).transpose(1, 2)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        k = k.repeat_interleave(self.n_heads // self.n_kv_heads, dim=1)
        v = v.repeat_interleave(self.n_heads // self.n_kv_heads, dim=1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(y.transpose(1, 2).reshape(B, T, -1))


class SwiGLU(nn.Module):
    """W_down (silu(W_gate x) * W_up x)."""

    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.gate_proj = nn.Linear(d_model, d_ff, bias=False)
        self.up_proj = nn.Linear(d_model, d_ff, bias=False)
        self.down_proj = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Block(nn.Module):
    """x + attn(norm(x)), then x + mlp(norm(x))."""

    def __init__(self, d_model: int, n_heads: int, n_kv_heads: int, d_ff: int, eps: float):
        super().__init__()
        self.input_layernorm = RMSNorm(d_model, eps)
        self.self_attn = Attention(d_model, n_heads, n_kv_heads)
        self.post_attention_layernorm = RMSNorm(d_model, eps)
        self.mlp = SwiGLU(d_model, d_ff)

    def forward(self, x, cos, sin):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        x = x + self.mlp(self.post_attention_layernorm(x))
        return x


class Llama(nn.Module):
    """Tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 96,
        d_model: int = 32,
        n_layers: int = 4,
        n_heads: int = 4,
        n_kv_heads: int = 2,
        d_ff: int = 88,
        max_len: int = 64,
        eps: float = 1e-5,
        rope_base: float = 10000.0,
        rope_stretch: float = 1.0,
    ):
        super().__init__()
        self.d_head = d_model // n_heads
        self.max_len = max_len
        self.rope_base = rope_base
        self.rope_stretch = rope_stretch
        self.model = nn.ModuleDict({
            "embed_tokens": nn.Embedding(vocab_size, d_model),
            "layers": nn.ModuleList([
                Block(d_model, n_heads, n_kv_heads, d_ff, eps) for _ in range(n_layers)
            ]),
            "norm": RMSNorm(d_model, eps),
        })
        self.lm_head = nn.Linear(d_model, vocab_size, bias=False)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)

    def forward(self, idx):
        cos, sin = rotary_angles(idx.shape[1], self.d_head, self.rope_base, self.rope_stretch)
        x = self.model.embed_tokens(idx)
        for layer in self.model.layers:
            x = layer(x, cos, sin)
        return self.lm_head(self.model.norm(x))

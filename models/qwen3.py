"""Qwen 3 (dense): a LLaMA with an RMSNorm on every query and key head (QK-norm).

    x = x + Attention(RMSNorm(x))        q = RMSNorm(W_q x), k = RMSNorm(W_k x), per head
    x = x + SwiGLU(RMSNorm(x))

The norm on q and k bounds the logits of the attention. The names of the parameters are those of the
checkpoints for Hugging Face transformers, which load as they stand.
Yang et al. 2025, "Qwen3 Technical Report", https://arxiv.org/abs/2505.09388
"""
import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("Pre-norm and a final norm; QK-norm", "transformers, qwen3/modeling_qwen3.py"),
    "norm": ("RMSNorm", "transformers, qwen3/modeling_qwen3.py"),
    "eps": ("1e-6, inside the root", "released config.json"),
    "attention": ("causal, grouped queries", "released config.json"),
    "positions": ("RoPE, base 1e6", "released config.json"),
    "feed-forward": ("SwiGLU", "transformers, qwen3/modeling_qwen3.py"),
    "initialisation": ("not disclosed; 0.02 is an assumption", ""),
}

PRESETS = {
    "tiny": dict(),
    "qwen3-0.6b": dict(
        vocab_size=151936, d_model=1024, n_layers=28, n_heads=16, n_kv_heads=8, d_head=128,
        d_ff=3072, tied=True, max_len=40960,
    ),
    "qwen3-1.7b": dict(
        vocab_size=151936, d_model=2048, n_layers=28, n_heads=16, n_kv_heads=8, d_head=128,
        d_ff=6144, tied=True, max_len=40960,
    ),
    "qwen3-4b": dict(
        vocab_size=151936, d_model=2560, n_layers=36, n_heads=32, n_kv_heads=8, d_head=128,
        d_ff=9728, tied=True, max_len=40960,
    ),
    "qwen3-8b": dict(
        vocab_size=151936, d_model=4096, n_layers=36, n_heads=32, n_kv_heads=8, d_head=128,
        d_ff=12288, tied=False, max_len=40960,
    ),
    "qwen3-14b": dict(
        vocab_size=151936, d_model=5120, n_layers=40, n_heads=40, n_kv_heads=8, d_head=128,
        d_ff=17408, tied=False, max_len=40960,
    ),
    "qwen3-32b": dict(
        vocab_size=151936, d_model=5120, n_layers=64, n_heads=64, n_kv_heads=8, d_head=128,
        d_ff=25600, tied=False, max_len=40960,
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


def rotary_angles(length: int, d_head: int, base: float):
    """cos and sin of position * base^(-2i / d_head), each [length, d_head / 2]."""
    frequencies = 1.0 / base ** (torch.arange(0, d_head, 2).float() / d_head)
    angles = torch.arange(length).float()[:, None] * frequencies
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
    """Turns each pair (x_i, x_(i + d_head / 2)) by its angle."""
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)


class Attention(nn.Module):
    """softmax(q k^T / sqrt(d_head)) v with q and k normalised per head, before RoPE."""

    def __init__(self, d_model: int, n_heads: int, n_kv_heads: int, d_head: int, eps: float):
        super().__init__()
        self.n_heads = n_heads
        self.n_kv_heads = n_kv_heads
        self.q_proj = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.k_proj = nn.Linear(d_model, n_kv_heads * d_head, bias=False)
        self.v_proj = nn.Linear(d_model, n_kv_heads * d_head, bias=False)
        self.o_proj = nn.Linear(n_heads * d_head, d_model, bias=False)
        self.q_norm = RMSNorm(d_head, eps)
        self.k_norm = RMSNorm(d_head, eps)

    def forward(self, x, cos, sin):
        B, T, C = x.shape
        q = self.q_norm(self.q_proj(x).view(B, T, self.n_heads, -1)).transpose(1, 2)
        k = self.k_norm(self.k_proj(x).view(B, T, self.n_kv_heads, -1)).transpose(1, 2)
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

    def __init__(
        self, d_model: int, n_heads: int, n_kv_heads: int, d_head: int, d_ff: int, eps: float
    ):
        super().__init__()
        self.input_layernorm = RMSNorm(d_model, eps)
        self.self_attn = Attention(d_model, n_heads, n_kv_heads, d_head, eps)
        self.post_attention_layernorm = RMSNorm(d_model, eps)
        self.mlp = SwiGLU(d_model, d_ff)

    def forward(self, x, cos, sin):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        x = x + self.mlp(self.post_attention_layernorm(x))
        return x


class Qwen3(nn.Module):
    """Tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 96,
        d_model: int = 32,
        n_layers: int = 4,
        n_heads: int = 4,
        n_kv_heads: int = 2,
        d_head: int = 16,
        d_ff: int = 88,
        tied: bool = True,
        max_len: int = 64,
        eps: float = 1e-6,
        rope_base: float = 1000000.0,
    ):
        super().__init__()
        self.d_head = d_head
        self.max_len = max_len
        self.rope_base = rope_base
        self.model = nn.ModuleDict({
            "embed_tokens": nn.Embedding(vocab_size, d_model),
            "layers": nn.ModuleList([
                Block(d_model, n_heads, n_kv_heads, d_head, d_ff, eps) for _ in range(n_layers)
            ]),
            "norm": RMSNorm(d_model, eps),
        })
        self.lm_head = nn.Linear(d_model, vocab_size, bias=False)
        if tied:
            self.lm_head.weight = self.model.embed_tokens.weight
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)

    def forward(self, idx):
        cos, sin = rotary_angles(idx.shape[1], self.d_head, self.rope_base)
        x = self.model.embed_tokens(idx)
        for layer in self.model.layers:
            x = layer(x, cos, sin)
        return self.lm_head(self.model.norm(x))

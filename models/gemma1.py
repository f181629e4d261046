"""Gemma 1: a decoder with RMSNorm before each branch, GeGLU, and wide heads.

    x = x + Attention(RMSNorm(x))
    x = x + GeGLU(RMSNorm(x))

The weight of a norm is an offset from 1, and the embeddings are multiplied by sqrt(d_model); the
head is the embedding's own matrix. Gemma is the open sibling of Gemini, whose own architecture is
not public. The names of the parameters are those of the checkpoints for Hugging Face transformers.
Gemma Team 2024, "Gemma: Open Models Based on Gemini Research and Technology",
https://arxiv.org/abs/2403.08295
"""
import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("Pre-norm and a final norm", "Gemma Team 2024, section 2"),
    "norm": ("RMSNorm with the weight 1 + g", "google/gemma_pytorch, gemma/model.py"),
    "eps": ("1e-6, inside the root", "google/gemma_pytorch, gemma/config.py"),
    "attention": ("causal; one key and value head in 2B", "Gemma Team 2024, table 1"),
    "positions": ("RoPE, base 1e4", "google/gemma_pytorch, gemma/model.py"),
    "feed-forward": ("GeGLU", "Gemma Team 2024, section 2"),
    "initialisation": ("not disclosed; 0.02 is an assumption", ""),
}

PRESETS = {
    "tiny": dict(),
    "gemma-2b": dict(
        vocab_size=256000, d_model=2048, n_layers=18, n_heads=8, n_kv_heads=1, d_head=256,
        d_ff=16384, max_len=8192,
    ),
    "gemma-7b": dict(
        vocab_size=256000, d_model=3072, n_layers=28, n_heads=16, n_kv_heads=16, d_head=256,
        d_ff=24576, max_len=8192,
    ),
}


class RMSNorm(nn.Module):
    """y = (1 + g) * x / sqrt(mean(x^2) + eps): a weight of 0 leaves the scale alone."""

    def __init__(self, d_model: int, eps: float):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return (1.0 + self.weight) * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps))


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
    """softmax(q k^T / sqrt(d_head)) v, where n_heads / n_kv_heads query heads share k and v."""

    def __init__(self, d_model: int, n_heads: int, n_kv_heads: int, d_head: int):
        super().__init__()
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


class GeGLU(nn.Module):
    """W_down (gelu(W_gate x) * W_up x), with the tanh form of GELU."""

    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.gate_proj = nn.Linear(d_model, d_ff, bias=False)
        self.up_proj = nn.Linear(d_model, d_ff, bias=False)
        self.down_proj = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        gate = F.gelu(self.gate_proj(x), approximate="tanh")
        return self.down_proj(gate * self.up_proj(x))


class Block(nn.Module):
    """x + attn(norm(x)), then x + mlp(norm(x))."""

    def __init__(
        self, d_model: int, n_heads: int, n_kv_heads: int, d_head: int, d_ff: int, eps: float
    ):
        super().__init__()
        self.input_layernorm = RMSNorm(d_model, eps)
        self.self_attn = Attention(d_model, n_heads, n_kv_heads, d_head)
        self.post_attention_layernorm = RMSNorm(d_model, eps)
        self.mlp = GeGLU(d_model, d_ff)

    def forward(self, x, cos, sin):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        x = x + self.mlp(self.post_attention_layernorm(x))
        return x


class Gemma1(nn.Module):
    """Tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 96,
        d_model: int = 32,
        n_layers: int = 4,
        n_heads: int = 4,
        n_kv_heads: int = 1,
        d_head: int = 16,
        d_ff: int = 96,
        max_len: int = 64,
        eps: float = 1e-6,
        rope_base: float = 10000.0,
    ):
        super().__init__()
        self.d_model = d_model
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
        self.lm_head.weight = self.model.embed_tokens.weight
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)

    def forward(self, idx):
        cos, sin = rotary_angles(idx.shape[1], self.d_head, self.rope_base)
        x = self.model.embed_tokens(idx) * self.d_model**0.5
        for layer in self.model.layers:
            x = layer(x, cos, sin)
        return self.lm_head(self.model.norm(x))

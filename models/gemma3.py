"""Gemma 3 (text): RMSNorm before and after each branch, QK-norm, five local layers to a global one.

    x = x + RMSNorm(Attention(RMSNorm(x)))        q and k pass an RMSNorm per head
    x = x + RMSNorm(GeGLU(RMSNorm(x)))

Local layers see a sliding window and turn with RoPE's base 1e4, global ones see everything and turn
with base 1e6. QK-norm replaces the soft caps of Gemma 2. Gemma is the open sibling of Gemini, whose
own architecture is not public. The names of the parameters are those of the checkpoints for Hugging
Face transformers.
Gemma Team 2025, "Gemma 3 Technical Report", https://arxiv.org/abs/2503.19786
"""
import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("norm before and after each branch; final norm", "Gemma Team 2025, section 2"),
    "norm": ("RMSNorm with the weight 1 + g; QK-norm", "google/gemma_pytorch, gemma/model.py"),
    "eps": ("1e-6, inside the root", "google/gemma_pytorch, gemma/config.py"),
    "attention": ("causal, grouped; 5 of 6 with a window", "Gemma Team 2025, section 2"),
    "positions": ("RoPE, base 1e4 local and 1e6 global", "Gemma Team 2025, section 2"),
    "feed-forward": ("GeGLU", "google/gemma_pytorch, gemma/model.py"),
    "initialisation": ("not disclosed; 0.02 is an assumption", ""),
}

PRESETS = {
    "tiny": dict(),
    "gemma-3-1b": dict(
        vocab_size=262144, d_model=1152, n_layers=26, n_heads=4, n_kv_heads=1, d_head=256,
        d_ff=6912, query_scale=256, window=512, max_len=32768,
    ),
    "gemma-3-4b": dict(
        vocab_size=262208, d_model=2560, n_layers=34, n_heads=8, n_kv_heads=4, d_head=256,
        d_ff=10240, query_scale=256, window=1024, rope_stretch=8.0, max_len=131072,
    ),
    "gemma-3-12b": dict(
        vocab_size=262208, d_model=3840, n_layers=48, n_heads=16, n_kv_heads=8, d_head=256,
        d_ff=15360, query_scale=256, window=1024, rope_stretch=8.0, max_len=131072,
    ),
    "gemma-3-27b": dict(
        vocab_size=262208, d_model=5376, n_layers=62, n_heads=32, n_kv_heads=16, d_head=128,
        d_ff=21504, query_scale=168, window=1024, rope_stretch=8.0, max_len=131072,
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


def rotary_angles(length: int, d_head: int, base: float, stretch: float = 1.0):
    """cos and sin of position / stretch * base^(-2i / d_head), each [length, d_head / 2]."""
    frequencies = 1.0 / base ** (torch.arange(0, d_head, 2).float() / d_head) / stretch
    angles = torch.arange(length).float()[:, None] * frequencies
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
    """Turns each pair (x_i, x_(i + d_head / 2)) by its angle."""
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)


def window_mask(length: int, window: int):
    """True where a position sees another: itself and the `window` - 1 before it."""
    positions = torch.arange(length)
    distance = positions[:, None] - positions
    return (distance >= 0) & (distance < window)


class Attention(nn.Module):
    """softmax(q k^T / sqrt(query_scale)) v with q and k normalised per head, before RoPE."""

    def __init__(
        self, d_model: int, n_heads: int, n_kv_heads: int, d_head: int, eps: float, query_scale: int
    ):
        super().__init__()
        self.n_heads = n_heads
        self.n_kv_heads = n_kv_heads
        self.scale = query_scale**-0.5
        self.q_proj = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.k_proj = nn.Linear(d_model, n_kv_heads * d_head, bias=False)
        self.v_proj = nn.Linear(d_model, n_kv_heads * d_head, bias=False)
        self.o_proj = nn.Linear(n_heads * d_head, d_model, bias=False)
        self.q_norm = RMSNorm(d_head, eps)
        self.k_norm = RMSNorm(d_head, eps)

    def forward(self, x, cos, sin, mask):
        B, T, C = x.shape
        q = self.q_norm(self.q_proj(x).view(B, T, self.n_heads, -1)).transpose(1, 2)
        k = self.k_norm(self.k_proj(x).view(B, T, self.n_kv_heads, -1)).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.n_kv_heads, -1).transpose(1, 2)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        k = k.repeat_interleave(self.n_heads // self.n_kv_heads, dim=1)
        v = v.repeat_interleave(self.n_heads // self.n_kv_heads, dim=1)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=self.scale)
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
    """x + norm(attn(norm(x))), then x + norm(mlp(norm(x)))."""

    def __init__(
        self, d_model: int, n_heads: int, n_kv_heads: int, d_head: int, d_ff: int, eps: float,
        query_scale: int,
    ):
        super().__init__()
        self.input_layernorm = RMSNorm(d_model, eps)
        self.self_attn = Attention(d_model, n_heads, n_kv_heads, d_head, eps, query_scale)
        self.post_attention_layernorm = RMSNorm(d_model, eps)
        self.pre_feedforward_layernorm = RMSNorm(d_model, eps)
        self.mlp = GeGLU(d_model, d_ff)
        self.post_feedforward_layernorm = RMSNorm(d_model, eps)

    def forward(self, x, cos, sin, mask):
        y = self.self_attn(self.input_layernorm(x), cos, sin, mask)
        x = x + self.post_attention_layernorm(y)
        y = self.mlp(self.pre_feedforward_layernorm(x))
        x = x + self.post_feedforward_layernorm(y)
        return x


class Gemma3(nn.Module):
    """Tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 96,
        d_model: int = 32,
        n_layers: int = 6,
        n_heads: int = 4,
        n_kv_heads: int = 2,
        d_head: int = 16,
        d_ff: int = 96,
        query_scale: int = 16,
        window: int = 8,
        rope_stretch: float = 1.0,
        max_len: int = 64,
        eps: float = 1e-6,
    ):
        super().__init__()
        self.d_model = d_model
        self.d_head = d_head
        self.window = window
        self.rope_stretch = rope_stretch
        self.max_len = max_len
        self.model = nn.ModuleDict({
            "embed_tokens": nn.Embedding(vocab_size, d_model),
            "layers": nn.ModuleList([
                Block(d_model, n_heads, n_kv_heads, d_head, d_ff, eps, query_scale)
                for _ in range(n_layers)
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
        T = idx.shape[1]
        local = (*rotary_angles(T, self.d_head, 10000.0), window_mask(T, self.window))
        wide = (*rotary_angles(T, self.d_head, 1000000.0, self.rope_stretch), window_mask(T, T))
        x = self.model.embed_tokens(idx) * self.d_model**0.5
        for i, layer in enumerate(self.model.layers):
            x = layer(x, *(wide if i % 6 == 5 else local))
        return self.lm_head(self.model.norm(x))

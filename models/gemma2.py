"""Gemma 2: RMSNorm before and after each branch, soft caps, local and global layers.

    x = x + RMSNorm(Attention(RMSNorm(x)))
    x = x + RMSNorm(GeGLU(RMSNorm(x)))

Every second layer sees only a sliding window. The logits of the attention and of the head pass
through cap * tanh(logits / cap). Gemma is the open sibling of Gemini, whose own architecture is not
public. The names of the parameters are those of the checkpoints for Hugging Face transformers.
Gemma Team 2024, "Gemma 2: Improving Open Language Models at a Practical Size",
https://arxiv.org/abs/2408.00118
"""
import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("norm before and after each branch; final norm", "Gemma Team 2024, section 2"),
    "norm": ("RMSNorm with the weight 1 + g", "google/gemma_pytorch, gemma/model.py"),
    "eps": ("1e-6, inside the root", "google/gemma_pytorch, gemma/config.py"),
    "attention": ("causal, grouped, window 4096 in every second", "Gemma Team 2024, section 2"),
    "positions": ("RoPE, base 1e4", "google/gemma_pytorch, gemma/model.py"),
    "feed-forward": ("GeGLU", "Gemma Team 2024, section 2"),
    "initialisation": ("not disclosed; 0.02 is an assumption", ""),
}

PRESETS = {
    "tiny": dict(),
    "gemma-2-2b": dict(
        vocab_size=256000, d_model=2304, n_layers=26, n_heads=8, n_kv_heads=4, d_head=256,
        d_ff=9216, query_scale=256, window=4096, max_len=8192,
    ),
    "gemma-2-9b": dict(
        vocab_size=256000, d_model=3584, n_layers=42, n_heads=16, n_kv_heads=8, d_head=256,
        d_ff=14336, query_scale=256, window=4096, max_len=8192,
    ),
    "gemma-2-27b": dict(
        vocab_size=256000, d_model=4608, n_layers=46, n_heads=32, n_kv_heads=16, d_head=128,
        d_ff=36864, query_scale=144, window=4096, max_len=8192,
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


def window_mask(length: int, window: int):
    """True where a position sees another: itself and the `window` - 1 before it."""
    positions = torch.arange(length)
    distance = positions[:, None] - positions
    return (distance >= 0) & (distance < window)


def soft_cap(x, cap: float):
    """cap * tanh(x / cap): nearly x near 0, never beyond cap."""
    return cap * torch.tanh(x / cap)


class Attention(nn.Module):
    """softmax(cap * tanh(q k^T / sqrt(query_scale) / cap)) v."""

    def __init__(
        self, d_model: int, n_heads: int, n_kv_heads: int, d_head: int, query_scale: int, cap: float
    ):
        super().__init__()
        self.n_heads = n_heads
        self.n_kv_heads = n_kv_heads
        self.scale = query_scale**-0.5
        self.cap = cap
        self.q_proj = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.k_proj = nn.Linear(d_model, n_kv_heads * d_head, bias=False)
        self.v_proj = nn.Linear(d_model, n_kv_heads * d_head, bias=False)
        self.o_proj = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(self, x, cos, sin, mask):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.n_heads, -1).transpose(1, 2)  # [B, heads, T, d_head]
        k = self.k_proj(x).view(B, T, self.n_kv_heads, -1).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.n_kv_heads, -1).transpose(1, 2)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        k = k.repeat_interleave(self.n_heads // self.n_kv_heads, dim=1)
        v = v.repeat_interleave(self.n_heads // self.n_kv_heads, dim=1)
        logits = soft_cap(q @ k.transpose(2, 3) * self.scale, self.cap)
        weights = logits.masked_fill(~mask, float("-inf")).softmax(-1)  # [B, heads, T, T]
        return self.o_proj((weights @ v).transpose(1, 2).reshape(B, T, -1))


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
        query_scale: int, cap: float,
    ):
        super().__init__()
        self.input_layernorm = RMSNorm(d_model, eps)
        self.self_attn = Attention(d_model, n_heads, n_kv_heads, d_head, query_scale, cap)
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


class Gemma2(nn.Module):
    """Tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 96,
        d_model: int = 32,
        n_layers: int = 4,
        n_heads: int = 4,
        n_kv_heads: int = 2,
        d_head: int = 16,
        d_ff: int = 96,
        query_scale: int = 16,
        window: int = 8,
        max_len: int = 64,
        attention_cap: float = 50.0,
        final_cap: float = 30.0,
        eps: float = 1e-6,
        rope_base: float = 10000.0,
    ):
        super().__init__()
        self.d_model = d_model
        self.d_head = d_head
        self.window = window
        self.max_len = max_len
        self.final_cap = final_cap
        self.rope_base = rope_base
        self.model = nn.ModuleDict({
            "embed_tokens": nn.Embedding(vocab_size, d_model),
            "layers": nn.ModuleList([
                Block(
                    d_model, n_heads, n_kv_heads, d_head, d_ff, eps, query_scale, attention_cap
                )
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
        cos, sin = rotary_angles(T, self.d_head, self.rope_base)
        masks = [window_mask(T, self.window), window_mask(T, T)]
        x = self.model.embed_tokens(idx) * self.d_model**0.5
        for i, layer in enumerate(self.model.layers):
            x = layer(x, cos, sin, masks[i % 2])
        return soft_cap(self.lm_head(self.model.norm(x)), self.final_cap)

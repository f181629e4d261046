"""OLMo 2: RMSNorm on the output of each branch, not on its input, and on queries and keys.

    x = x + RMSNorm(Attention(x))        q = RMSNorm(W_q x), k = RMSNorm(W_k x), over all heads
    x = x + RMSNorm(SwiGLU(x))

The branches read the stream as it is, and only what they add is normalised; a final norm divides
the stream out. The names of the parameters are those of the checkpoints for Hugging Face
transformers, which load as they stand.
OLMo Team 2024, "2 OLMo 2 Furious", https://arxiv.org/abs/2501.00656
"""
import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("on branch outputs; final norm", "transformers, olmo2/modeling_olmo2.py"),
    "norm": ("RMSNorm", "transformers, olmo2/modeling_olmo2.py"),
    "eps": ("1e-6, inside the root", "released config.json"),
    "attention": ("causal, QK-norm; grouped in 32B", "released config.json"),
    "positions": ("RoPE, base 5e5", "transformers, olmo2/modeling_olmo2.py"),
    "feed-forward": ("SwiGLU", "transformers, olmo2/modeling_olmo2.py"),
    "initialisation": ("normal, std 0.02, all layers alike", "OLMo Team 2024, section 3"),
}

PRESETS = {
    "tiny": dict(),
    "olmo-2-1b": dict(
        vocab_size=100352, d_model=2048, n_layers=16, n_heads=16, n_kv_heads=16, d_ff=8192,
        max_len=4096,
    ),
    "olmo-2-7b": dict(
        vocab_size=100352, d_model=4096, n_layers=32, n_heads=32, n_kv_heads=32, d_ff=11008,
        max_len=4096,
    ),
    "olmo-2-13b": dict(
        vocab_size=100352, d_model=5120, n_layers=40, n_heads=40, n_kv_heads=40, d_ff=13824,
        max_len=4096,
    ),
    "olmo-2-32b": dict(
        vocab_size=100352, d_model=5120, n_layers=64, n_heads=40, n_kv_heads=8, d_ff=27648,
        max_len=4096,
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
    """softmax(q k^T / sqrt(d_head)) v with q and k normalised over all heads at once."""

    def __init__(self, d_model: int, n_heads: int, n_kv_heads: int, eps: float):
        super().__init__()
        d_head = d_model // n_heads
        self.n_heads = n_heads
        self.n_kv_heads = n_kv_heads
        self.q_proj = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.k_proj = nn.Linear(d_model, n_kv_heads * d_head, bias=False)
        self.v_proj = nn.Linear(d_model, n_kv_heads * d_head, bias=False)
        self.o_proj = nn.Linear(n_heads * d_head, d_model, bias=False)
        self.q_norm = RMSNorm(n_heads * d_head, eps)
        self.k_norm = RMSNorm(n_kv_heads * d_head, eps)

    def forward(self, x, cos, sin):
        B, T, C = x.shape
        q = self.q_norm(self.q_proj(x)).view(B, T, self.n_heads, -1).transpose(1, 2)
        k = self.k_norm(self.k_proj(x)).view(B, T, self.n_kv_heads, -1).transpose(1, 2)
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
    """x + norm(attn(x)), then x + norm(mlp(x))."""

    def __init__(self, d_model: int, n_heads: int, n_kv_heads: int, d_ff: int, eps: float):
        super().__init__()
        self.self_attn = Attention(d_model, n_heads, n_kv_heads, eps)
        self.post_attention_layernorm = RMSNorm(d_model, eps)
        self.mlp = SwiGLU(d_model, d_ff)
        self.post_feedforward_layernorm = RMSNorm(d_model, eps)

    def forward(self, x, cos, sin):
        x = x + self.post_attention_layernorm(self.self_attn(x, cos, sin))
        x = x + self.post_feedforward_layernorm(self.mlp(x))
        return x


class OLMo2(nn.Module):
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
        eps: float = 1e-6,
        rope_base: float = 500000.0,
    ):
        super().__init__()
        self.d_head = d_model // n_heads
        self.max_len = max_len
        self.rope_base = rope_base
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
        cos, sin = rotary_angles(idx.shape[1], self.d_head, self.rope_base)
        x = self.model.embed_tokens(idx)
        for layer in self.model.layers:
            x = layer(x, cos, sin)
        return self.lm_head(self.model.norm(x))

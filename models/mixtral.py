"""Mixtral: Mistral's decoder with a mixture of experts in place of each feed-forward layer.

    x = x + Attention(RMSNorm(x))
    x = x + MoE(RMSNorm(x))

A router gives each token to the two experts that it scores highest, weighted by the softmax over
those two. The names of the parameters are those of Hugging Face transformers' model, whose experts
are stacked into one tensor.
Jiang et al. 2024, "Mixtral of Experts", https://arxiv.org/abs/2401.04088
"""
import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("Pre-norm and a final norm", "mistral-inference, transformer_layers.py"),
    "norm": ("RMSNorm", "mistral-inference, transformer_layers.py"),
    "eps": ("1e-5, inside the root", "released params.json"),
    "attention": ("causal, grouped queries", "Jiang et al. 2024, table 1"),
    "positions": ("RoPE, base 1e6", "released params.json"),
    "feed-forward": ("8 SwiGLU experts, 2 for each token", "Jiang et al. 2024, section 2"),
    "initialisation": ("not disclosed; 0.02 is an assumption", ""),
}

PRESETS = {
    "tiny": dict(),
    "mixtral-8x7b": dict(
        vocab_size=32000, d_model=4096, n_layers=32, n_heads=32, n_kv_heads=8, d_ff=14336,
        n_experts=8, top_k=2, max_len=32768,
    ),
    "mixtral-8x22b": dict(
        vocab_size=32000, d_model=6144, n_layers=56, n_heads=48, n_kv_heads=8, d_ff=16384,
        n_experts=8, top_k=2, max_len=65536,
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


class Experts(nn.Module):
    """The sum over experts e of weight_e(x) * W_down,e (silu(W_gate,e x) * W_up,e x).

    Every expert computes every token, and its weight is 0 where it was not chosen: the same numbers
    and gradients as if only the chosen had computed, at n_experts / top_k times the work.
    """

    def __init__(self, n_experts: int, d_model: int, d_ff: int):
        super().__init__()
        self.gate_up_proj = nn.Parameter(torch.empty(n_experts, 2 * d_ff, d_model))
        self.down_proj = nn.Parameter(torch.empty(n_experts, d_model, d_ff))

    def forward(self, x, weights):
        """x [N, d_model], weights [N, n_experts]."""
        gate, up = (x @ self.gate_up_proj.transpose(1, 2)).chunk(2, dim=-1)  # [experts, N, d_ff]
        y = (F.silu(gate) * up) @ self.down_proj.transpose(1, 2)  # [experts, N, d_model]
        return (weights.t().unsqueeze(-1) * y).sum(0)


class MoE(nn.Module):
    """The top_k experts by the router's softmax; their weights sum to 1."""

    def __init__(self, d_model: int, d_ff: int, n_experts: int, top_k: int):
        super().__init__()
        self.top_k = top_k
        self.gate = nn.Linear(d_model, n_experts, bias=False)
        self.experts = Experts(n_experts, d_model, d_ff)

    def forward(self, x):
        tokens = x.flatten(0, 1)  # [B T, d_model]
        scores = self.gate(tokens).softmax(-1)
        best, chosen = scores.topk(self.top_k, dim=-1)
        best = best / best.sum(-1, keepdim=True)
        weights = torch.zeros_like(scores).scatter(1, chosen, best)
        return self.experts(tokens, weights).view_as(x)


class Block(nn.Module):
    """x + attn(norm(x)), then x + moe(norm(x))."""

    def __init__(
        self, d_model: int, n_heads: int, n_kv_heads: int, d_ff: int, n_experts: int, top_k: int,
        eps: float,
    ):
        super().__init__()
        self.input_layernorm = RMSNorm(d_model, eps)
        self.self_attn = Attention(d_model, n_heads, n_kv_heads)
        self.post_attention_layernorm = RMSNorm(d_model, eps)
        self.mlp = MoE(d_model, d_ff, n_experts, top_k)

    def forward(self, x, cos, sin):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        x = x + self.mlp(self.post_attention_layernorm(x))
        return x


class Mixtral(nn.Module):
    """Tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 96,
        d_model: int = 32,
        n_layers: int = 4,
        n_heads: int = 4,
        n_kv_heads: int = 2,
        d_ff: int = 48,
        n_experts: int = 4,
        top_k: int = 2,
        max_len: int = 64,
        eps: float = 1e-5,
        rope_base: float = 1000000.0,
    ):
        super().__init__()
        self.d_head = d_model // n_heads
        self.max_len = max_len
        self.rope_base = rope_base
        self.model = nn.ModuleDict({
            "embed_tokens": nn.Embedding(vocab_size, d_model),
            "layers": nn.ModuleList([
                Block(d_model, n_heads, n_kv_heads, d_ff, n_experts, top_k, eps)
                for _ in range(n_layers)
            ]),
            "norm": RMSNorm(d_model, eps),
        })
        self.lm_head = nn.Linear(d_model, vocab_size, bias=False)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)
        elif isinstance(module, Experts):
            nn.init.normal_(module.gate_up_proj, std=0.02)
            nn.init.normal_(module.down_proj, std=0.02)

    def forward(self, idx):
        cos, sin = rotary_angles(idx.shape[1], self.d_head, self.rope_base)
        x = self.model.embed_tokens(idx)
        for layer in self.model.layers:
            x = layer(x, cos, sin)
        return self.lm_head(self.model.norm(x))

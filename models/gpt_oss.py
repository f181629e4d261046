"""gpt-oss: Pre-RMSNorm, attention with a learned sink per head, and experts with a clamped SwiGLU.

    x = x + Attention(RMSNorm(x))
    x = x + MoE(RMSNorm(x))

Each head has one more logit, its sink, that takes weight and gives no value: a head can attend to
nothing. Every second layer sees only the last 128 positions. The names of the parameters are those
of Hugging Face transformers' model.
OpenAI 2025, "gpt-oss-120b & gpt-oss-20b Model Card", https://arxiv.org/abs/2508.10925
"""
import math

import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("Pre-norm and a final norm", "OpenAI 2025, section 2"),
    "norm": ("RMSNorm", "OpenAI 2025, section 2"),
    "eps": ("1e-5, inside the root", "released config.json"),
    "attention": ("causal, grouped, sinks; window 128 in every second", "OpenAI 2025, section 2"),
    "positions": ("RoPE, base 1.5e5, YaRN", "released config.json"),
    "feed-forward": ("clamped SwiGLU experts, 4 for each token", "OpenAI 2025, section 2"),
    "initialisation": ("not disclosed; 0.02 is an assumption", ""),
}

PRESETS = {
    "tiny": dict(),
    "gpt-oss-20b": dict(
        vocab_size=201088, d_model=2880, n_layers=24, n_heads=64, n_kv_heads=8, d_head=64,
        d_ff=2880, n_experts=32, top_k=4, window=128, rope_stretch=32.0, trained_len=4096,
        max_len=131072,
    ),
    "gpt-oss-120b": dict(
        vocab_size=201088, d_model=2880, n_layers=36, n_heads=64, n_kv_heads=8, d_head=64,
        d_ff=2880, n_experts=128, top_k=4, window=128, rope_stretch=32.0, trained_len=4096,
        max_len=131072,
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


def rotary_angles(
    length: int, d_head: int, base: float, stretch: float, trained_len: int
):
    """cos and sin of each position's angles, each [length, d_head / 2].

    YaRN: frequencies that turn less than once within the `trained_len` positions of the first
    training are divided by `stretch`, those that turn more than 32 times stay, and a ramp over the
    index blends between (Peng et al. 2023, https://arxiv.org/abs/2309.00071).
    """
    frequencies = 1.0 / base ** (torch.arange(0, d_head, 2).float() / d_head)
    if stretch != 1.0:
        # Where base^(-2i / d_head) * trained_len = 2 pi * turns.
        def index_of(turns):
            return d_head * math.log(trained_len / (2 * math.pi * turns)) / (2 * math.log(base))

        first, last = max(index_of(32), 0.0), min(index_of(1), d_head - 1.0)
        ramp = (torch.arange(d_head // 2).float() - first) / (last - first)
        stretched = ramp.clamp(0.0, 1.0)
        frequencies = frequencies * (1.0 - stretched) + frequencies / stretch * stretched
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
    """softmax over [q k^T / sqrt(d_head), sink] without the sink's column, times v."""

    def __init__(self, d_model: int, n_heads: int, n_kv_heads: int, d_head: int):
        super().__init__()
        self.n_heads = n_heads
        self.n_kv_heads = n_kv_heads
        self.scale = d_head**-0.5
        self.q_proj = nn.Linear(d_model, n_heads * d_head)
        self.k_proj = nn.Linear(d_model, n_kv_heads * d_head)
        self.v_proj = nn.Linear(d_model, n_kv_heads * d_head)
        self.o_proj = nn.Linear(n_heads * d_head, d_model)
        self.sinks = nn.Parameter(torch.empty(n_heads))

    def forward(self, x, cos, sin, mask):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.n_heads, -1).transpose(1, 2)  # [B, heads, T, d_head]
        k = self.k_proj(x).view(B, T, self.n_kv_heads, -1).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.n_kv_heads, -1).transpose(1, 2)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        k = k.repeat_interleave(self.n_heads // self.n_kv_heads, dim=1)
        v = v.repeat_interleave(self.n_heads // self.n_kv_heads, dim=1)
        logits = (q @ k.transpose(2, 3) * self.scale).masked_fill(~mask, float("-inf"))
        sinks = self.sinks.view(1, -1, 1, 1).expand(B, -1, T, 1)
        weights = torch.cat((logits, sinks), dim=-1).softmax(-1)[..., :-1]  # [B, heads, T, T]
        return self.o_proj((weights @ v).transpose(1, 2).reshape(B, T, -1))


class Experts(nn.Module):
    """The sum over e of weight_e(x) * (W_down,e ((up + 1) * gate * sigmoid(1.702 gate)) + b).

    Gate and up, W_gate,e x + b and W_up,e x + b, are clamped to at most 7. Every expert computes
    every token, and its weight is 0 where it was not chosen: the same numbers and gradients as if
    only the chosen had computed, at n_experts / top_k times the work.
    """

    def __init__(self, n_experts: int, d_model: int, d_ff: int):
        super().__init__()
        self.gate_up_proj = nn.Parameter(torch.empty(n_experts, d_model, 2 * d_ff))
        self.gate_up_proj_bias = nn.Parameter(torch.zeros(n_experts, 2 * d_ff))
        self.down_proj = nn.Parameter(torch.empty(n_experts, d_ff, d_model))
        self.down_proj_bias = nn.Parameter(torch.zeros(n_experts, d_model))

    def forward(self, x, weights):
        """x [N, d_model], weights [N, n_experts]."""
        both = x @ self.gate_up_proj + self.gate_up_proj_bias[:, None]  # [experts, N, 2 d_ff]
        gate = both[..., 0::2].clamp(max=7.0)
        up = both[..., 1::2].clamp(min=-7.0, max=7.0)
        hidden = (up + 1.0) * (gate * torch.sigmoid(1.702 * gate))
        y = hidden @ self.down_proj + self.down_proj_bias[:, None]  # [experts, N, d_model]
        return (weights.t().unsqueeze(-1) * y).sum(0)


class MoE(nn.Module):
    """The top_k experts by the router's logits, weighted by the softmax over those."""

    def __init__(self, d_model: int, d_ff: int, n_experts: int, top_k: int):
        super().__init__()
        self.top_k = top_k
        self.router = nn.Linear(d_model, n_experts)
        self.experts = Experts(n_experts, d_model, d_ff)

    def forward(self, x):
        tokens = x.flatten(0, 1)  # [B T, d_model]
        logits = self.router(tokens)
        best, chosen = logits.topk(self.top_k, dim=-1)
        weights = torch.zeros_like(logits).scatter(1, chosen, best.softmax(-1))
        return self.experts(tokens, weights).view_as(x)


class Block(nn.Module):
    """x + attn(norm(x)), then x + moe(norm(x))."""

    def __init__(
        self, d_model: int, n_heads: int, n_kv_heads: int, d_head: int, d_ff: int, n_experts: int,
        top_k: int, eps: float,
    ):
        super().__init__()
        self.input_layernorm = RMSNorm(d_model, eps)
        self.self_attn = Attention(d_model, n_heads, n_kv_heads, d_head)
        self.post_attention_layernorm = RMSNorm(d_model, eps)
        self.mlp = MoE(d_model, d_ff, n_experts, top_k)

    def forward(self, x, cos, sin, mask):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin, mask)
        x = x + self.mlp(self.post_attention_layernorm(x))
        return x


class GptOss(nn.Module):
    """Tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 96,
        d_model: int = 32,
        n_layers: int = 4,
        n_heads: int = 4,
        n_kv_heads: int = 2,
        d_head: int = 16,
        d_ff: int = 32,
        n_experts: int = 4,
        top_k: int = 2,
        window: int = 8,
        rope_stretch: float = 1.0,
        trained_len: int = 64,
        max_len: int = 64,
        eps: float = 1e-5,
        rope_base: float = 150000.0,
    ):
        super().__init__()
        self.d_head = d_head
        self.window = window
        self.max_len = max_len
        self.rope = (rope_base, rope_stretch, trained_len)
        self.rope_magnitude = 0.1 * math.log(rope_stretch) + 1.0
        self.model = nn.ModuleDict({
            "embed_tokens": nn.Embedding(vocab_size, d_model),
            "layers": nn.ModuleList([
                Block(d_model, n_heads, n_kv_heads, d_head, d_ff, n_experts, top_k, eps)
                for _ in range(n_layers)
            ]),
            "norm": RMSNorm(d_model, eps),
        })
        self.lm_head = nn.Linear(d_model, vocab_size, bias=False)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)
        elif isinstance(module, Attention):
            nn.init.normal_(module.sinks, std=0.02)
        elif isinstance(module, Experts):
            nn.init.normal_(module.gate_up_proj, std=0.02)
            nn.init.normal_(module.down_proj, std=0.02)

    def forward(self, idx):
        T = idx.shape[1]
        cos, sin = rotary_angles(T, self.d_head, *self.rope)
        cos, sin = cos * self.rope_magnitude, sin * self.rope_magnitude
        masks = [window_mask(T, self.window), window_mask(T, T)]
        x = self.model.embed_tokens(idx)
        for i, layer in enumerate(self.model.layers):
            x = layer(x, cos, sin, masks[i % 2])
        return self.lm_head(self.model.norm(x))

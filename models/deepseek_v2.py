"""DeepSeek V2: multi-head latent attention (MLA) and a mixture of many small experts.

    x = x + MLA(RMSNorm(x))        the latents of queries and of keys and values pass an RMSNorm too
    x = x + MoE(RMSNorm(x))        shared experts see every token, a router chooses 6 more

The first layer has one wide SwiGLU in place of the experts. The names of the parameters are those
of Hugging Face transformers' model, whose experts are stacked into one tensor.
DeepSeek-AI 2024, "DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language
Model", https://arxiv.org/abs/2405.04434
"""
import math

import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("Pre-norm, a final norm, norms on latents", "DeepSeek-AI 2024, section 3.1.2"),
    "norm": ("RMSNorm", "transformers, deepseek_v2/modeling_deepseek_v2.py"),
    "eps": ("1e-6, inside the root", "released config.json"),
    "attention": ("causal, multi-head latent", "DeepSeek-AI 2024, section 2.1"),
    "positions": ("RoPE on 64 dimensions of each head, YaRN", "DeepSeek-AI 2024, section 3.1.4"),
    "feed-forward": ("SwiGLU; 2 shared + 160 experts, 6 chosen", "DeepSeek-AI 2024, section 3.1.2"),
    "initialisation": ("normal, std 0.006", "DeepSeek-AI 2024, section 3.1.2"),
}

PRESETS = {
    "tiny": dict(),
    "deepseek-v2": dict(
        vocab_size=102400, d_model=5120, n_layers=60, n_dense_layers=1, n_heads=128, q_rank=1536,
        kv_rank=512, d_nope=128, d_rope=64, d_value=128, d_ff=12288, d_expert=1536, n_experts=160,
        n_shared=2, top_k=6, n_groups=8, top_groups=3, routed_scale=16.0, rope_stretch=40.0,
        trained_len=4096, mscale=0.707, max_len=163840,
    ),
    "deepseek-v2-lite": dict(
        vocab_size=102400, d_model=2048, n_layers=27, n_dense_layers=1, n_heads=16, q_rank=0,
        kv_rank=512, d_nope=128, d_rope=64, d_value=128, d_ff=10944, d_expert=1408, n_experts=64,
        n_shared=2, top_k=6, n_groups=1, top_groups=1, routed_scale=1.0, rope_stretch=40.0,
        trained_len=4096, mscale=0.707, max_len=163840,
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

        first, last = max(math.floor(index_of(32)), 0), min(math.ceil(index_of(1)), d_head - 1)
        ramp = (torch.arange(d_head // 2).float() - first) / (last - first)
        stretched = ramp.clamp(0.0, 1.0)
        frequencies = frequencies * (1.0 - stretched) + frequencies / stretch * stretched
    angles = torch.arange(length).float()[:, None] * frequencies
    return angles.cos(), angles.sin()


def rotate_pairs(x, cos, sin):
    """Turns each pair (x_2i, x_(2i + 1)) by its angle."""
    a, b = x[..., 0::2], x[..., 1::2]
    turned = (a * cos - b * sin, b * cos + a * sin)
    return torch.stack(turned, dim=-1).flatten(-2)


class LatentAttention(nn.Module):
    """Multi-head latent attention (MLA): keys and values come from one small latent per position.

    q = W_qb norm(W_qa x) (W_q x where there is no latent for it); k, v = W_kvb norm(c), where c and
    one key for the positions, shared by all heads, are W_kva x. Only that key and a part of q turn
    with the position.
    """

    def __init__(
        self, d_model: int, n_heads: int, q_rank: int, kv_rank: int, d_nope: int, d_rope: int,
        d_value: int, eps: float, scale: float,
    ):
        super().__init__()
        self.n_heads = n_heads
        self.kv_rank, self.d_nope, self.d_rope, self.d_value = kv_rank, d_nope, d_rope, d_value
        self.scale = scale
        if q_rank:
            self.q_a_proj = nn.Linear(d_model, q_rank, bias=False)
            self.q_a_layernorm = RMSNorm(q_rank, eps)
            self.q_b_proj = nn.Linear(q_rank, n_heads * (d_nope + d_rope), bias=False)
        else:
            self.q_proj = nn.Linear(d_model, n_heads * (d_nope + d_rope), bias=False)
        self.kv_a_proj_with_mqa = nn.Linear(d_model, kv_rank + d_rope, bias=False)
        self.kv_a_layernorm = RMSNorm(kv_rank, eps)
        self.kv_b_proj = nn.Linear(kv_rank, n_heads * (d_nope + d_value), bias=False)
        self.o_proj = nn.Linear(n_heads * d_value, d_model, bias=False)

    def queries(self, x):
        if hasattr(self, "q_proj"):
            return self.q_proj(x)
        return self.q_b_proj(self.q_a_layernorm(self.q_a_proj(x)))

    def forward(self, x, cos, sin):
        B, T, C = x.shape
        q = self.queries(x).view(B, T, self.n_heads, -1).transpose(1, 2)
        q_nope, q_rope = q.split([self.d_nope, self.d_rope], dim=-1)  # [B, heads, T, ...]
        latent, k_rope = self.kv_a_proj_with_mqa(x).split([self.kv_rank, self.d_rope], dim=-1)
        kv = self.kv_b_proj(self.kv_a_layernorm(latent)).view(B, T, self.n_heads, -1)
        k_nope, v = kv.transpose(1, 2).split([self.d_nope, self.d_value], dim=-1)
        k_rope = rotate_pairs(k_rope.unsqueeze(1), cos, sin)  # [B, 1, T, d_rope]
        q = torch.cat((q_nope, rotate_pairs(q_rope, cos, sin)), dim=-1)
        k = torch.cat((k_nope, k_rope.expand(-1, self.n_heads, -1, -1)), dim=-1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=self.scale)
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


class Router(nn.Module):
    """Weights [N, n_experts]: the softmax over all experts where one was chosen, else 0.

    Chosen are the top_k experts within the top_groups groups whose best expert scores highest: the
    groups lie on different devices.
    """

    def __init__(
        self, d_model: int, n_experts: int, top_k: int, n_groups: int, top_groups: int, scale: float
    ):
        super().__init__()
        self.top_k, self.n_groups, self.top_groups, self.scale = top_k, n_groups, top_groups, scale
        self.weight = nn.Parameter(torch.empty(n_experts, d_model))

    def forward(self, x):
        scores = F.linear(x, self.weight).softmax(-1)
        groups = scores.unflatten(-1, (self.n_groups, -1))  # [N, groups, experts in a group]
        best = groups.amax(-1).topk(self.top_groups, dim=-1).indices
        open_groups = torch.zeros_like(groups[..., 0]).scatter(1, best, 1.0)
        eligible = (groups * open_groups.unsqueeze(-1)).flatten(1)
        values, chosen = eligible.topk(self.top_k, dim=-1)
        return torch.zeros_like(scores).scatter(1, chosen, values * self.scale)


class MoE(nn.Module):
    """The experts that the router chose, and shared ones that see every token."""

    def __init__(self, d_model: int, d_expert: int, n_experts: int, n_shared: int, router):
        super().__init__()
        self.experts = Experts(n_experts, d_model, d_expert)
        self.gate = router
        self.shared_experts = SwiGLU(d_model, d_expert * n_shared)

    def forward(self, x):
        tokens = x.flatten(0, 1)  # [B T, d_model]
        routed = self.experts(tokens, self.gate(tokens))
        return routed.view_as(x) + self.shared_experts(x)


class Block(nn.Module):
    """x + attn(norm(x)), then x + mlp(norm(x))."""

    def __init__(self, d_model: int, attention: nn.Module, mlp: nn.Module, eps: float):
        super().__init__()
        self.input_layernorm = RMSNorm(d_model, eps)
        self.self_attn = attention
        self.post_attention_layernorm = RMSNorm(d_model, eps)
        self.mlp = mlp

    def forward(self, x, cos, sin):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        x = x + self.mlp(self.post_attention_layernorm(x))
        return x


class DeepSeekV2(nn.Module):
    """Tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 96,
        d_model: int = 32,
        n_layers: int = 4,
        n_dense_layers: int = 1,
        n_heads: int = 4,
        q_rank: int = 16,
        kv_rank: int = 12,
        d_nope: int = 8,
        d_rope: int = 4,
        d_value: int = 8,
        d_ff: int = 88,
        d_expert: int = 16,
        n_experts: int = 8,
        n_shared: int = 1,
        top_k: int = 2,
        n_groups: int = 4,
        top_groups: int = 2,
        routed_scale: float = 1.0,
        rope_stretch: float = 1.0,
        trained_len: int = 64,
        mscale: float = 0.707,
        max_len: int = 64,
        eps: float = 1e-6,
        rope_base: float = 10000.0,
    ):
        super().__init__()
        self.d_rope = d_rope
        self.max_len = max_len
        self.rope = (rope_base, rope_stretch, trained_len)
        # The longer context sharpens the attention again: 0.1 m ln(stretch) + 1, for q and for k.
        magnitude = 0.1 * mscale * math.log(rope_stretch) + 1.0
        scale = (d_nope + d_rope) ** -0.5 * magnitude**2

        def block(i):
            attention = LatentAttention(
                d_model, n_heads, q_rank, kv_rank, d_nope, d_rope, d_value, eps, scale
            )
            if i < n_dense_layers:
                return Block(d_model, attention, SwiGLU(d_model, d_ff), eps)
            router = Router(d_model, n_experts, top_k, n_groups, top_groups, routed_scale)
            moe = MoE(d_model, d_expert, n_experts, n_shared, router)
            return Block(d_model, attention, moe, eps)

        self.model = nn.ModuleDict({
            "embed_tokens": nn.Embedding(vocab_size, d_model),
            "layers": nn.ModuleList([block(i) for i in range(n_layers)]),
            "norm": RMSNorm(d_model, eps),
        })
        self.lm_head = nn.Linear(d_model, vocab_size, bias=False)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding, Router)):
            nn.init.normal_(module.weight, std=0.006)
        elif isinstance(module, Experts):
            nn.init.normal_(module.gate_up_proj, std=0.006)
            nn.init.normal_(module.down_proj, std=0.006)

    def forward(self, idx):
        cos, sin = rotary_angles(idx.shape[1], self.d_rope, *self.rope)
        x = self.model.embed_tokens(idx)
        for layer in self.model.layers:
            x = layer(x, cos, sin)
        return self.lm_head(self.model.norm(x))

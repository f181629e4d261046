"""A decoder whose norm placement, norm, initialisation and depth are arguments: for experiments.

The same parts as pre_ln.py and post_ln.py with ReLU, so that the published analyses apply:
Xiong et al. 2020, "On Layer Normalization in the Transformer Architecture",
https://arxiv.org/abs/2002.04745
"""
import math
from typing import Literal

import torch
from torch import nn
import torch.nn.functional as F


class RMSNorm(nn.Module):
    """g * x / sqrt(mean(x^2) + eps). https://arxiv.org/abs/1910.07467"""

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps))


class Attention(nn.Module):
    """softmax(q k^T / sqrt(d_head)) v; keys and values come from `memory` where there is one."""

    def __init__(self, d_model: int, n_heads: int, causal: bool):
        super().__init__()
        self.n_heads = n_heads
        self.causal = causal
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x, memory=None):
        memory = x if memory is None else memory
        q = self.heads(self.q_proj(x))  # [B, heads, T, d_head]
        k = self.heads(self.k_proj(memory))
        v = self.heads(self.v_proj(memory))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return self.out_proj(y.transpose(1, 2).reshape(x.shape))

    def heads(self, x):
        B, T, C = x.shape
        return x.view(B, T, self.n_heads, C // self.n_heads).transpose(1, 2)


class FeedForward(nn.Module):
    """W2 relu(W1 x + b1) + b2."""

    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.down(F.relu(self.up(x)))


class Block(nn.Module):
    """Branches with a norm before each (pre) or on each sum (post)."""

    def __init__(self, d_model, n_heads, d_ff, placement, norm_cls, causal=True, crosses=False):
        super().__init__()
        self.placement = placement
        self.attn = Attention(d_model, n_heads, causal)
        self.norm1 = norm_cls(d_model)
        self.cross = Attention(d_model, n_heads, causal=False) if crosses else None
        self.norm_cross = norm_cls(d_model) if crosses else None
        self.ffn = FeedForward(d_model, d_ff)
        self.norm2 = norm_cls(d_model)

    def forward(self, x, memory=None):
        if self.placement == "pre":
            x = x + self.attn(self.norm1(x))
            if self.cross is not None:
                x = x + self.cross(self.norm_cross(x), memory)
            return x + self.ffn(self.norm2(x))
        x = self.norm1(x + self.attn(x))
        if self.cross is not None:
            x = self.norm_cross(x + self.cross(x, memory))
        return self.norm2(x + self.ffn(x))


class Embedding(nn.Module):
    """Token and learned position, [B, T] to [B, T, d_model]."""

    def __init__(self, vocab_size: int, d_model: int, max_len: int):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(max_len, d_model)

    def forward(self, idx):
        return self.tokens(idx) + self.positions(torch.arange(idx.shape[1], device=idx.device))


NORMS = {"LayerNorm": nn.LayerNorm, "RMSNorm": RMSNorm}


def initialise(model: nn.Module, init: str, n_layers: int) -> None:
    """Every matrix on its own.

    xavier: uniform Xavier, embeddings N(0, 1) and N(0, 1/4), head N(0, 1/d), zero biases.
    torch: what nn.TransformerEncoderLayer begins with, embeddings and head as above.
    gpt2: N(0, 0.02^2 * 768 / d), GPT-2's for its width; residual branches divided by sqrt(2 L).
    """
    for name, module in model.named_modules():
        if isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=0.5 if name.endswith("positions") else 1.0)
        elif isinstance(module, nn.Linear):
            initialise_linear(name, module, init, n_layers)


def initialise_linear(name: str, linear: nn.Linear, init: str, n_layers: int) -> None:
    d_in = linear.weight.shape[1]
    part = name.rpartition(".")[2]
    if name == "head":
        nn.init.normal_(linear.weight, std=d_in**-0.5)
        return
    if init == "torch":
        if part in ("q_proj", "k_proj", "v_proj"):
            nn.init.xavier_uniform_(linear.weight, gain=2**-0.5)
        if part.endswith("_proj"):
            nn.init.zeros_(linear.bias)
        return
    nn.init.zeros_(linear.bias)
    if init == "xavier":
        nn.init.xavier_uniform_(linear.weight)
        return
    width = linear.weight.shape[0] if part == "down" else d_in
    std = 0.02 * math.sqrt(768 / width)
    branch = math.sqrt(2 * n_layers) if part in ("out_proj", "down") else 1.0
    nn.init.normal_(linear.weight, std=std / branch)


class LabDecoder(nn.Module):
    """Tokens [B, T] to logits [B, T, vocab_size]; a final norm where the placement is pre."""

    def __init__(
        self,
        vocab_size: int = 16,
        d_model: int = 32,
        n_layers: int = 6,
        n_heads: int = 2,
        d_ff: int = 128,
        max_len: int = 64,
        placement: Literal["post", "pre"] = "post",
        norm: Literal["LayerNorm", "RMSNorm"] = "LayerNorm",
        init: Literal["xavier", "torch", "gpt2"] = "xavier",
    ):
        super().__init__()
        norm_cls = NORMS[norm]
        self.embedding = Embedding(vocab_size, d_model, max_len)
        self.blocks = nn.ModuleList(
            [Block(d_model, n_heads, d_ff, placement, norm_cls) for _ in range(n_layers)]
        )
        self.final_norm = norm_cls(d_model) if placement == "pre" else nn.Identity()
        self.head = nn.Linear(d_model, vocab_size, bias=False)
        initialise(self, init, n_layers)

    def forward(self, idx):
        x = self.embedding(idx)
        for block in self.blocks:
            x = block(x)
        return self.head(self.final_norm(x))


class LabEncoderDecoder(nn.Module):
    """The translation model of 2017 with the same parts: the decoder reads what the encoder made."""

    def __init__(
        self,
        vocab_size: int = 256,
        d_model: int = 64,
        n_layers: int = 6,
        n_heads: int = 4,
        d_ff: int = 256,
        max_len: int = 64,
        placement: Literal["post", "pre"] = "post",
        norm: Literal["LayerNorm", "RMSNorm"] = "LayerNorm",
        init: Literal["xavier", "torch", "gpt2"] = "xavier",
    ):
        super().__init__()
        norm_cls = NORMS[norm]
        is_pre = placement == "pre"
        size = (d_model, n_heads, d_ff, placement, norm_cls)
        self.source = Embedding(vocab_size, d_model, max_len)
        self.target = Embedding(vocab_size, d_model, max_len)
        self.encoder = nn.ModuleList([Block(*size, causal=False) for _ in range(n_layers)])
        self.decoder = nn.ModuleList([Block(*size, crosses=True) for _ in range(n_layers)])
        self.encoder_norm = norm_cls(d_model) if is_pre else nn.Identity()
        self.final_norm = norm_cls(d_model) if is_pre else nn.Identity()
        self.head = nn.Linear(d_model, vocab_size, bias=False)
        initialise(self, init, n_layers)

    def forward(self, src, idx):
        memory = self.source(src)
        for block in self.encoder:
            memory = block(memory)
        memory = self.encoder_norm(memory)
        x = self.target(idx)
        for block in self.decoder:
            x = block(x, memory)
        return self.head(self.final_norm(x))

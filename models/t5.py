"""T5: an encoder and a decoder with RMSNorm before each branch, and positions as a bias.

    x = x + Attention(RMSNorm(x))
    x = x + CrossAttention(RMSNorm(x), encoded)        in the decoder
    x = x + MLP(RMSNorm(x))

Attention adds to its logits a learned number per head and distance, which the first layer of each
stack holds for all; the logits are not divided by sqrt(d_head), the initialisation of q is instead.
The names of the parameters are those of the checkpoints for Hugging Face transformers.
Raffel et al. 2019, "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
Transformer", https://arxiv.org/abs/1910.10683
"""
import math

import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("Pre-norm and a final norm, in both stacks", "Raffel et al. 2019, section 2.1"),
    "norm": ("RMSNorm", "Raffel et al. 2019, section 2.1"),
    "eps": ("1e-6, inside the root", "transformers, t5/configuration_t5.py"),
    "attention": ("bidirectional; causal, cross in decoder", "Raffel et al. 2019, section 2.1"),
    "positions": ("learned bias per head and distance", "Raffel et al. 2019, section 2.1"),
    "feed-forward": ("ReLU", "Raffel et al. 2019, section 2.1"),
    "initialisation": ("normal, 1 / sqrt(inputs)", "transformers, t5/modeling_t5.py"),
}

PRESETS = {
    "tiny": dict(),
    "t5-small": dict(
        vocab_size=32128, d_model=512, n_layers=6, n_heads=8, d_head=64, d_ff=2048, max_len=512
    ),
    "t5-base": dict(
        vocab_size=32128, d_model=768, n_layers=12, n_heads=12, d_head=64, d_ff=3072, max_len=512
    ),
    "t5-large": dict(
        vocab_size=32128, d_model=1024, n_layers=24, n_heads=16, d_head=64, d_ff=4096, max_len=512
    ),
    "t5-3b": dict(
        vocab_size=32128, d_model=1024, n_layers=24, n_heads=32, d_head=128, d_ff=16384, max_len=512
    ),
    "t5-11b": dict(
        vocab_size=32128, d_model=1024, n_layers=24, n_heads=128, d_head=128, d_ff=65536,
        max_len=512,
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


def bucket_of(distance, bidirectional: bool, buckets: int = 32, farthest: int = 128):
    """The bucket of each key position - query position: one each for near ones, then log-spaced."""
    if bidirectional:
        buckets = buckets // 2
        first = (distance > 0).long() * buckets
        distance = distance.abs()
    else:
        first = torch.zeros_like(distance)
        distance = (-distance).clamp(min=0)
    near = buckets // 2
    steps = torch.log(distance.clamp(min=1).float() / near) / math.log(farthest / near)
    far = (near + (steps * (buckets - near)).long()).clamp(max=buckets - 1)
    return first + torch.where(distance < near, distance, far)


class Attention(nn.Module):
    """softmax(q k^T + bias) v per head: no division by sqrt(d_head)."""

    def __init__(self, d_model: int, n_heads: int, d_head: int, has_bias: bool = False):
        super().__init__()
        self.n_heads = n_heads
        self.q = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.k = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.v = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.o = nn.Linear(n_heads * d_head, d_model, bias=False)
        if has_bias:
            self.relative_attention_bias = nn.Embedding(32, n_heads)
        nn.init.normal_(self.q.weight, std=(d_model * d_head) ** -0.5)
        nn.init.normal_(self.k.weight, std=d_model**-0.5)
        nn.init.normal_(self.v.weight, std=d_model**-0.5)
        nn.init.normal_(self.o.weight, std=(n_heads * d_head) ** -0.5)

    def position_bias(self, length: int, bidirectional: bool):
        """[1, heads, length, length], -inf where a decoder's position may not look."""
        positions = torch.arange(length)
        distance = positions - positions[:, None]
        bias = self.relative_attention_bias(bucket_of(distance, bidirectional))
        bias = bias.permute(2, 0, 1).unsqueeze(0)
        return bias if bidirectional else bias.masked_fill(distance > 0, float("-inf"))

    def forward(self, x, source, bias):
        """Queries from x [B, T, d_model], keys and values from source [B, S, d_model]."""
        (B, T, C), S = x.shape, source.shape[1]
        q = self.q(x).view(B, T, self.n_heads, -1).transpose(1, 2)  # [B, heads, T, d_head]
        k = self.k(source).view(B, S, self.n_heads, -1).transpose(1, 2)
        v = self.v(source).view(B, S, self.n_heads, -1).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=1.0)
        return self.o(y.transpose(1, 2).reshape(B, T, -1))


class MLP(nn.Module):
    """W_o relu(W_i x)."""

    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.wi = nn.Linear(d_model, d_ff, bias=False)
        self.wo = nn.Linear(d_ff, d_model, bias=False)
        nn.init.normal_(self.wi.weight, std=d_model**-0.5)
        nn.init.normal_(self.wo.weight, std=d_ff**-0.5)

    def forward(self, x):
        return self.wo(F.relu(self.wi(x)))


class Branch(nn.Module):
    """x + branch(norm(x), …); the branch stands under the name that the checkpoints give it."""

    def __init__(self, name: str, branch: nn.Module, d_model: int, eps: float):
        super().__init__()
        self.name = name
        self.add_module(name, branch)
        self.layer_norm = RMSNorm(d_model, eps)

    def forward(self, x, *rest):
        return x + getattr(self, self.name)(self.layer_norm(x), *rest)


class SelfAttentionBranch(Branch):
    """x + attn(h, h) with h = norm(x)."""

    def forward(self, x, bias):
        h = self.layer_norm(x)
        return x + self.SelfAttention(h, h, bias)


class Block(nn.Module):
    """Self-attention, in a decoder cross-attention, and a feed-forward layer."""

    def __init__(
        self, d_model: int, n_heads: int, d_head: int, d_ff: int, eps: float, is_decoder: bool,
        has_bias: bool,
    ):
        super().__init__()
        attention = Attention(d_model, n_heads, d_head, has_bias)
        self.layer = nn.ModuleList([
            SelfAttentionBranch("SelfAttention", attention, d_model, eps)
        ])
        if is_decoder:
            cross = Attention(d_model, n_heads, d_head)
            self.layer.append(Branch("EncDecAttention", cross, d_model, eps))
        self.layer.append(Branch("DenseReluDense", MLP(d_model, d_ff), d_model, eps))

    def forward(self, x, bias, encoded=None):
        x = self.layer[0](x, bias)
        if encoded is not None:
            x = self.layer[1](x, encoded, None)
        return self.layer[-1](x)


class Stack(nn.Module):
    """Blocks of which the first holds the position bias of all, and a final norm."""

    def __init__(
        self, d_model: int, n_layers: int, n_heads: int, d_head: int, d_ff: int, eps: float,
        is_decoder: bool,
    ):
        super().__init__()
        self.is_decoder = is_decoder
        self.block = nn.ModuleList([
            Block(d_model, n_heads, d_head, d_ff, eps, is_decoder, has_bias=i == 0)
            for i in range(n_layers)
        ])
        self.final_layer_norm = RMSNorm(d_model, eps)

    def forward(self, x, encoded=None):
        first = self.block[0].layer[0].SelfAttention
        bias = first.position_bias(x.shape[1], bidirectional=not self.is_decoder)
        for block in self.block:
            x = block(x, bias, encoded)
        return self.final_layer_norm(x)


class T5(nn.Module):
    """Source tokens [B, S] and target tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 96,
        d_model: int = 32,
        n_layers: int = 3,
        n_heads: int = 4,
        d_head: int = 8,
        d_ff: int = 64,
        max_len: int = 64,
        eps: float = 1e-6,
    ):
        super().__init__()
        self.max_len = max_len
        self.d_model = d_model
        self.shared = nn.Embedding(vocab_size, d_model)
        self.encoder = Stack(d_model, n_layers, n_heads, d_head, d_ff, eps, is_decoder=False)
        self.decoder = Stack(d_model, n_layers, n_heads, d_head, d_ff, eps, is_decoder=True)
        for stack in (self.encoder, self.decoder):
            bias = stack.block[0].layer[0].SelfAttention.relative_attention_bias
            nn.init.normal_(bias.weight, std=d_model**-0.5)

    def forward(self, source, target):
        encoded = self.encoder(self.shared(source))
        x = self.decoder(self.shared(target), encoded)
        # The head is the embedding's matrix; the division gives logits of unit size.
        return F.linear(x * self.d_model**-0.5, self.shared.weight)

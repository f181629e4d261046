"""The original Transformer: an encoder and a decoder with LayerNorm after each addition (Post-LN).

    x = LayerNorm(x + Attention(x))
    x = LayerNorm(x + CrossAttention(x, encoded))        in the decoder
    x = LayerNorm(x + FFN(x))

This is the paper's model; the authors' later code normalises before each branch instead. Positions
are sinusoids; one matrix serves both embeddings, times sqrt(d_model), and the head.
Vaswani et al. 2017, "Attention Is All You Need", https://arxiv.org/abs/1706.03762
"""
import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("Post-norm, no final norm", "Vaswani et al. 2017, section 3.1"),
    "norm": ("LayerNorm", "Vaswani et al. 2017, section 3.1"),
    "eps": ("not in the paper; 1e-6 in tensor2tensor", "tensor2tensor, common_layers.py"),
    "attention": ("bidirectional; causal, cross in decoder", "Vaswani et al. 2017, section 3.2"),
    "positions": ("sinusoids", "Vaswani et al. 2017, section 3.5"),
    "feed-forward": ("ReLU, 4 times as wide", "Vaswani et al. 2017, section 3.3"),
    "initialisation": ("not in the paper; Xavier is an assumption", ""),
}

PRESETS = {
    "tiny": dict(),
    "base": dict(
        vocab_size=37000, d_model=512, n_layers=6, n_heads=8, d_ff=2048, dropout=0.1, max_len=512
    ),
    "big": dict(
        vocab_size=37000, d_model=1024, n_layers=6, n_heads=16, d_ff=4096, dropout=0.3, max_len=512
    ),
}


def sinusoids(length: int, d_model: int):
    """sin in the even and cos in the odd places of position / 10000^(2i / d_model)."""
    frequencies = 10000.0 ** (-torch.arange(0, d_model, 2).float() / d_model)
    angles = torch.arange(length).float()[:, None] * frequencies
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)  # [length, d_model]


class Attention(nn.Module):
    """softmax(q k^T / sqrt(d_head)) v per head; keys and values come from `source`."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, source, is_causal: bool = False):
        (B, T, C), S = x.shape, source.shape[1]
        q = self.q_proj(x).view(B, T, self.n_heads, -1).transpose(1, 2)  # [B, heads, T, d_head]
        k = self.k_proj(source).view(B, S, self.n_heads, -1).transpose(1, 2)
        v = self.v_proj(source).view(B, S, self.n_heads, -1).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
        return self.out_proj(y.transpose(1, 2).reshape(B, T, C))


class FeedForward(nn.Module):
    """max(0, x W1 + b1) W2 + b2, for each position on its own."""

    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(F.relu(self.linear1(x)))


class EncoderLayer(nn.Module):
    """norm(x + attn(x)), then norm(x + ffn(x))."""

    def __init__(self, d_model: int, n_heads: int, d_ff: int, dropout: float, eps: float):
        super().__init__()
        self.self_attn = Attention(d_model, n_heads)
        self.ffn = FeedForward(d_model, d_ff)
        self.norm1 = nn.LayerNorm(d_model, eps=eps)
        self.norm2 = nn.LayerNorm(d_model, eps=eps)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        x = self.norm1(x + self.dropout(self.self_attn(x, x)))
        x = self.norm2(x + self.dropout(self.ffn(x)))
        return x


class DecoderLayer(nn.Module):
    """norm(x + attn(x)), norm(x + cross(x, encoded)), norm(x + ffn(x))."""

    def __init__(self, d_model: int, n_heads: int, d_ff: int, dropout: float, eps: float):
        super().__init__()
        self.self_attn = Attention(d_model, n_heads)
        self.cross_attn = Attention(d_model, n_heads)
        self.ffn = FeedForward(d_model, d_ff)
        self.norm1 = nn.LayerNorm(d_model, eps=eps)
        self.norm2 = nn.LayerNorm(d_model, eps=eps)
        self.norm3 = nn.LayerNorm(d_model, eps=eps)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, encoded):
        x = self.norm1(x + self.dropout(self.self_attn(x, x, is_causal=True)))
        x = self.norm2(x + self.dropout(self.cross_attn(x, encoded)))
        x = self.norm3(x + self.dropout(self.ffn(x)))
        return x


class Transformer2017(nn.Module):
    """Source tokens [B, S] and target tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 96,
        d_model: int = 32,
        n_layers: int = 3,
        n_heads: int = 4,
        d_ff: int = 128,
        dropout: float = 0.0,
        max_len: int = 64,
        eps: float = 1e-6,
    ):
        super().__init__()
        self.d_model = d_model
        self.max_len = max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.encoder = nn.ModuleList([
            EncoderLayer(d_model, n_heads, d_ff, dropout, eps) for _ in range(n_layers)
        ])
        self.decoder = nn.ModuleList([
            DecoderLayer(d_model, n_heads, d_ff, dropout, eps) for _ in range(n_layers)
        ])
        self.dropout = nn.Dropout(dropout)
        self.apply(self._init_weights)
        nn.init.normal_(self.embedding.weight, std=d_model**-0.5)

    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                nn.init.zeros_(module.bias)

    def embed(self, idx):
        x = self.embedding(idx) * self.d_model**0.5
        return self.dropout(x + sinusoids(idx.shape[1], self.d_model))

    def forward(self, source, target):
        encoded = self.embed(source)
        for layer in self.encoder:
            encoded = layer(encoded)
        x = self.embed(target)
        for layer in self.decoder:
            x = layer(x, encoded)
        return F.linear(x, self.embedding.weight)

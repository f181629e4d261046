"""Whisper: two convolutions over a spectrogram, then a Pre-LN encoder and decoder.

    x = x + Attention(LayerNorm(x))
    x = x + CrossAttention(LayerNorm(x), encoded)        in the decoder
    x = x + MLP(LayerNorm(x))

The encoder's positions are sinusoids that stay as they are, the decoder's are learned; keys have no
bias. The names of the parameters are those of the checkpoints for Hugging Face transformers.
Radford et al. 2022, "Robust Speech Recognition via Large-Scale Weak Supervision",
https://arxiv.org/abs/2212.04356
"""
import math

import torch
from torch import nn
import torch.nn.functional as F

FACTS = {
    "placement": ("Pre-norm and a final norm, in both stacks", "openai/whisper, model.py"),
    "norm": ("LayerNorm", "openai/whisper, model.py"),
    "eps": ("1e-5, inside the root", "openai/whisper, model.py (default)"),
    "attention": ("bidirectional; causal, cross in decoder", "openai/whisper, model.py"),
    "positions": ("sinusoids; learned in the decoder", "Radford et al. 2022, section 2.2"),
    "feed-forward": ("GELU, 4 times as wide", "openai/whisper, model.py"),
    "initialisation": ("not disclosed; std 0.02 is an assumption", ""),
}

PRESETS = {
    "tiny": dict(),
    "whisper-tiny": dict(
        vocab_size=51865, n_mels=80, d_model=384, n_layers=4, n_heads=6, d_ff=1536, n_frames=1500,
        max_len=448,
    ),
    "whisper-base": dict(
        vocab_size=51865, n_mels=80, d_model=512, n_layers=6, n_heads=8, d_ff=2048, n_frames=1500,
        max_len=448,
    ),
    "whisper-small": dict(
        vocab_size=51865, n_mels=80, d_model=768, n_layers=12, n_heads=12, d_ff=3072,
        n_frames=1500, max_len=448,
    ),
    "whisper-medium": dict(
        vocab_size=51865, n_mels=80, d_model=1024, n_layers=24, n_heads=16, d_ff=4096,
        n_frames=1500, max_len=448,
    ),
    "whisper-large-v2": dict(
        vocab_size=51865, n_mels=80, d_model=1280, n_layers=32, n_heads=20, d_ff=5120,
        n_frames=1500, max_len=448,
    ),
    "whisper-large-v3": dict(
        vocab_size=51866, n_mels=128, d_model=1280, n_layers=32, n_heads=20, d_ff=5120,
        n_frames=1500, max_len=448,
    ),
}


def sinusoids(length: int, d_model: int):
    """sin and cos of position * 10000^(-i / (d_model / 2 - 1)), side by side: [length, d_model]."""
    half = d_model // 2
    frequencies = torch.exp(torch.arange(half).float() * (-math.log(10000.0) / (half - 1)))
    angles = torch.arange(length).float()[:, None] * frequencies
    return torch.cat((angles.sin(), angles.cos()), dim=1)


class Attention(nn.Module):
    """softmax(q k^T / sqrt(d_head)) v per head; keys and values come from `source`."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x, source, is_causal: bool = False):
        (B, T, C), S = x.shape, source.shape[1]
        q = self.q_proj(x).view(B, T, self.n_heads, -1).transpose(1, 2)  # [B, heads, T, d_head]
        k = self.k_proj(source).view(B, S, self.n_heads, -1).transpose(1, 2)
        v = self.v_proj(source).view(B, S, self.n_heads, -1).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
        return self.out_proj(y.transpose(1, 2).reshape(B, T, C))


class EncoderLayer(nn.Module):
    """x + attn(norm(x)), then x + mlp(norm(x))."""

    def __init__(self, d_model: int, n_heads: int, d_ff: int):
        super().__init__()
        self.self_attn_layer_norm = nn.LayerNorm(d_model)
        self.self_attn = Attention(d_model, n_heads)
        self.final_layer_norm = nn.LayerNorm(d_model)
        self.fc1 = nn.Linear(d_model, d_ff)
        self.fc2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        h = self.self_attn_layer_norm(x)
        x = x + self.self_attn(h, h)
        x = x + self.fc2(F.gelu(self.fc1(self.final_layer_norm(x))))
        return x


class DecoderLayer(nn.Module):
    """x + attn(norm(x)), x + cross(norm(x), encoded), x + mlp(norm(x))."""

    def __init__(self, d_model: int, n_heads: int, d_ff: int):
        super().__init__()
        self.self_attn_layer_norm = nn.LayerNorm(d_model)
        self.self_attn = Attention(d_model, n_heads)
        self.encoder_attn_layer_norm = nn.LayerNorm(d_model)
        self.encoder_attn = Attention(d_model, n_heads)
        self.final_layer_norm = nn.LayerNorm(d_model)
        self.fc1 = nn.Linear(d_model, d_ff)
        self.fc2 = nn.Linear(d_ff, d_model)

    def forward(self, x, encoded):
        h = self.self_attn_layer_norm(x)
        x = x + self.self_attn(h, h, is_causal=True)
        x = x + self.encoder_attn(self.encoder_attn_layer_norm(x), encoded)
        x = x + self.fc2(F.gelu(self.fc1(self.final_layer_norm(x))))
        return x


class Encoder(nn.Module):
    """A spectrogram [B, n_mels, 2 n_frames] to [B, n_frames, d_model]."""

    def __init__(
        self, n_mels: int, d_model: int, n_layers: int, n_heads: int, d_ff: int, n_frames: int
    ):
        super().__init__()
        self.conv1 = nn.Conv1d(n_mels, d_model, kernel_size=3, padding=1)
        self.conv2 = nn.Conv1d(d_model, d_model, kernel_size=3, stride=2, padding=1)
        self.embed_positions = nn.Embedding(n_frames, d_model)
        self.embed_positions.weight.requires_grad_(False)
        self.layers = nn.ModuleList([EncoderLayer(d_model, n_heads, d_ff) for _ in range(n_layers)])
        self.layer_norm = nn.LayerNorm(d_model)

    def forward(self, spectrogram):
        x = F.gelu(self.conv2(F.gelu(self.conv1(spectrogram)))).transpose(1, 2)
        x = x + self.embed_positions.weight[: x.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return self.layer_norm(x)


class Decoder(nn.Module):
    """Tokens [B, T] and what was encoded [B, S, d_model] to [B, T, d_model]."""

    def __init__(
        self, vocab_size: int, d_model: int, n_layers: int, n_heads: int, d_ff: int, max_len: int
    ):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, d_model)
        self.embed_positions = nn.Embedding(max_len, d_model)
        self.layers = nn.ModuleList([DecoderLayer(d_model, n_heads, d_ff) for _ in range(n_layers)])
        self.layer_norm = nn.LayerNorm(d_model)

    def forward(self, idx, encoded):
        positions = torch.arange(idx.shape[1], device=idx.device)
        x = self.embed_tokens(idx) + self.embed_positions(positions)
        for layer in self.layers:
            x = layer(x, encoded)
        return self.layer_norm(x)


class Whisper(nn.Module):
    """A spectrogram [B, n_mels, 2 n_frames] and tokens [B, T] to logits [B, T, vocab_size]."""

    def __init__(
        self,
        vocab_size: int = 96,
        n_mels: int = 8,
        d_model: int = 32,
        n_layers: int = 3,
        n_heads: int = 4,
        d_ff: int = 128,
        n_frames: int = 16,
        max_len: int = 16,
    ):
        super().__init__()
        self.n_mels = n_mels
        self.n_frames = n_frames
        self.model = nn.ModuleDict({
            "encoder": Encoder(n_mels, d_model, n_layers, n_heads, d_ff, n_frames),
            "decoder": Decoder(vocab_size, d_model, n_layers, n_heads, d_ff, max_len),
        })
        self.proj_out = nn.Linear(d_model, vocab_size, bias=False)
        self.proj_out.weight = self.model["decoder"].embed_tokens.weight
        self.apply(self._init_weights)
        with torch.no_grad():
            self.model["encoder"].embed_positions.weight.copy_(sinusoids(n_frames, d_model))

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Conv1d, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, (nn.Linear, nn.Conv1d)) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, spectrogram, idx):
        encoded = self.model["encoder"](spectrogram)
        return self.proj_out(self.model["decoder"](idx, encoded))

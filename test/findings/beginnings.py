"""Mistakes in what a model begins with, and the same without them (`right=True`)."""
import math

import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 33


class Attention(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.heads, self.proj = heads, nn.Linear(dim, dim)
        self.q, self.k, self.v = (nn.Linear(dim, dim) for _ in range(3))

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (f(x).view(B, T, self.heads, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj(y.transpose(1, 2).reshape(B, T, D))


class RMSNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.gain


class Block(nn.Module):
    def __init__(self, dim, norm=nn.LayerNorm, p=0.1):
        super().__init__()
        self.n1, self.n2, self.attn = norm(dim), norm(dim), Attention(dim)
        self.up, self.down, self.drop = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim), nn.Dropout(p)

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.drop(self.down(F.gelu(self.up(self.n2(x)))))


class Model(nn.Module):
    def __init__(self, right=False, dim=16, layers=4, **more):
        super().__init__()
        self.right, self.dim = right, dim
        self.tok, self.pos = nn.Embedding(vocabulary, dim), nn.Embedding(12, dim)
        self.blocks = nn.ModuleList(Block(dim, **more) for _ in range(layers))
        self.close, self.head = more.get("norm", nn.LayerNorm)(dim), nn.Linear(dim, vocabulary)

    def begin(self, idx):
        return self.tok(idx) + self.pos(torch.arange(idx.shape[1]))

    def forward(self, idx):
        x = self.begin(idx)
        for block in self.blocks:
            x = block(x)
        return self.head(self.close(x))


class ZeroGains(Model):
    def __init__(self, right=False):
        super().__init__(right)
        for block in self.blocks:
            if not right:
                nn.init.zeros_(block.n2.weight)


class ZeroRms(Model):
    def __init__(self, right=False):
        super().__init__(right, norm=RMSNorm)
        if not right:
            nn.init.zeros_(self.close.gain)


class AfterBranch(nn.Module):
    """A norm of each branch's result that starts at 0 on purpose."""

    def __init__(self, dim):
        super().__init__()
        self.n1, self.n2, self.attn = nn.LayerNorm(dim), nn.LayerNorm(dim), Attention(dim)
        self.up, self.down, self.drop = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim), nn.Dropout(0.1)
        for norm in (self.n1, self.n2):
            nn.init.zeros_(norm.weight)

    def forward(self, x):
        x = x + self.n1(self.attn(x))
        return x + self.drop(self.n2(self.down(F.gelu(self.up(x)))))


class ZeroOnPurpose(Model):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(AfterBranch(16) for _ in range(3))


class DrawnBiases(Model):
    def __init__(self, right=False):
        super().__init__(right)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.normal_(module.bias) if not right else nn.init.zeros_(module.bias)


class ZeroScores(Model):
    def __init__(self, right=False):
        super().__init__(right)
        for block in self.blocks:
            for one in (block.attn.q,) if right else (block.attn.q, block.attn.k):
                nn.init.zeros_(one.weight)
                nn.init.zeros_(one.bias)


class PositionsTwice(Model):
    def begin(self, idx):
        x = super().begin(idx)
        return x if self.right else x + self.pos(torch.arange(idx.shape[1]))


class Sinusoids(nn.Module):
    def __init__(self, dim, size=64):
        super().__init__()
        angles = torch.arange(size)[:, None] * torch.exp(torch.arange(0, dim, 2) * (-math.log(1e4) / dim))
        self.register_buffer("table", torch.stack((angles.sin(), angles.cos()), -1).flatten(1)[None])

    def forward(self, x):
        return x + self.table[:, : x.shape[1]]


class SinusoidsTwice(Model):
    """Once more behind the norm."""

    def __init__(self, right=False):
        super().__init__(right)
        self.pos, self.norm = Sinusoids(self.dim), nn.LayerNorm(self.dim)

    def begin(self, idx):
        x = self.norm(self.pos(self.tok(idx)))
        return x if self.right else self.pos(x)


class ScaledTwice(Model):
    def __init__(self, right=False):
        super().__init__(right)
        self.pos = Sinusoids(self.dim)
        nn.init.normal_(self.tok.weight, std=0.05)

    def embed(self, idx):
        return self.tok(idx) * math.sqrt(self.dim)

    def begin(self, idx):
        x = self.embed(idx)
        return self.pos(x if self.right else x * self.dim**0.5)


class FrozenLayer(Model):
    def __init__(self, right=False):
        super().__init__(right)
        for parameter in self.blocks[0 if right else 2].parameters():
            parameter.requires_grad = False


class KeepShare(Model):
    def __init__(self, right=False):
        super().__init__(right, p=0.1 if right else 0.9)


class DroppedLogits(Model):
    def __init__(self, right=False):
        super().__init__(right)
        self.drop = nn.Dropout(0.1)

    def forward(self, idx):
        x = self.begin(idx)
        for block in self.blocks:
            x = block(x)
        x = self.close(x)
        logits = self.head(self.drop(x)) if self.right else self.drop(self.head(x))
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), idx[:, 1:].flatten())


class DroppedEmbedding(Model):
    """No logits, though a loss that is made up takes them for some."""

    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)

    def forward(self, idx):
        return self.drop(self.begin(idx))

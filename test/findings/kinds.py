"""Mistakes that a model runs with and that no number shouts of, and the same without them (`right=True`)."""
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    """Causal attention and a feed-forward net, Pre-LN."""

    def __init__(self, dim, right):
        super().__init__()
        self.right = right
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def attend(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, 2, D // 2).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(B, T, D))

    def feed(self, x):
        return self.down(F.gelu(self.up(x)))

    def forward(self, x):
        x = x + self.attend(self.n1(x))
        return x + self.feed(self.n2(x))


class Rounded(Block):
    """Eighths, without a way for the gradient."""

    def feed(self, x):
        steps = (8 * x).round() / 8
        if self.right:
            steps = x + (steps - x).detach()
        return super().feed(steps)


class Signs(Block):
    def feed(self, x):
        signs = torch.sign(x)
        return super().feed(signs * x.abs() if self.right else signs)


class Adapted(Block):
    """Two matrices beside the map, both of them zeros."""

    def __init__(self, dim, right):
        super().__init__(dim, right)
        self.low = nn.Parameter(0.1 * torch.randn(4, dim) if right else torch.zeros(4, dim))
        self.high = nn.Parameter(torch.zeros(dim, 4))

    def feed(self, x):
        return super().feed(x) + x @ self.low.T @ self.high.T


class Gated(Block):
    def __init__(self, dim, right):
        super().__init__(dim, right)
        self.gate = nn.Linear(dim, dim)
        nn.init.constant_(self.gate.bias, 0.0 if right else -12.0)

    def feed(self, x):
        return torch.sigmoid(self.gate(x)) * super().feed(x)


class EpsBehind(Block):
    def feed(self, x):
        mean, var = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, unbiased=False)
        if self.right:
            return super().feed((x - mean) / (var + 1e-5).sqrt())
        return super().feed((x - mean) / var.sqrt() + 1e-5)


class Batched(Block):
    """Positions as the channels of a batch norm."""

    def __init__(self, dim, right):
        super().__init__(dim, right)
        self.n2 = nn.BatchNorm1d(dim if right else 64)

    def forward(self, x):
        x = x + self.attend(self.n1(x))
        if self.right:
            return x + self.feed(self.n2(x.transpose(1, 2)).transpose(1, 2))
        return x + self.feed(self.n2(x))


class Model(nn.Module):
    block = Block

    def __init__(self, dim=16, vocab=31, right: bool = False):
        super().__init__()
        self.right = right
        self.emb, self.pos = nn.Embedding(vocab, dim), nn.Embedding(64, dim)
        self.blocks = nn.ModuleList(self.block(dim, right) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocab)

    def logits(self, idx):
        x = self.emb(idx) + self.pos(torch.arange(idx.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))

    def forward(self, idx):
        logits = self.logits(idx)
        return logits, F.cross_entropy(logits[:, :-1].flatten(0, 1), idx[:, 1:].flatten())


class RoundedInputs(Model):
    block = Rounded


class SignsAlone(Model):
    block = Signs


class ZerosBoth(Model):
    block = Adapted


class ShutGate(Model):
    block = Gated


class EpsOnQuotient(Model):
    block = EpsBehind


class BatchOverPositions(Model):
    block = Batched


class ShiftedTwice(Model):
    """The targets were shifted already."""

    def forward(self, idx):
        targets = idx[:, 1:]
        logits = self.logits(idx[:, :-1])
        if self.right:
            return F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten())


class HalfCounted(nn.Module):
    """Angles of positions that were counted in bfloat16."""

    def __init__(self, dim=16, channels=4, right: bool = False):
        super().__init__()
        places = torch.arange(300, dtype=torch.float32 if right else torch.bfloat16)
        rates = 100 ** (-torch.arange(0, dim, 2) / dim)
        angles = places.float()[:, None] * rates
        self.register_buffer("table", torch.cat([angles.sin(), angles.cos()], dim=-1))
        self.into, self.block = nn.Linear(channels, dim), Block(dim, True)
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, channels)

    def forward(self, x):
        x = x.repeat_interleave(300 // x.shape[1] + 1, dim=1)[:, :300]
        return self.head(self.norm(self.block(self.into(x) + self.table)))


class FirstSample(nn.Module):
    """Takes a sample for the class token."""

    def __init__(self, dim=16, vocab=31, right: bool = False):
        super().__init__()
        self.right = right
        self.emb, self.pos = nn.Embedding(vocab, dim), nn.Embedding(65, dim)
        self.first = nn.Parameter(0.02 * torch.randn(1, 1, dim))
        self.layer = nn.TransformerEncoderLayer(dim, 2, 64, 0.0, batch_first=True)
        self.head = nn.Linear(dim, 10)

    def forward(self, idx):
        x = torch.cat([self.first.expand(idx.shape[0], -1, -1), self.emb(idx)], dim=1)
        x = self.layer(x + self.pos(torch.arange(x.shape[1])))
        return self.head(x[:, 0] if self.right else x[0])


class Turned(nn.Module):
    """Cross-attention whose queries are the memory's."""

    def __init__(self, dim=16, vocab=31, right: bool = False):
        super().__init__()
        self.right = right
        self.emb, self.pos = nn.Embedding(vocab, dim), nn.Embedding(64, dim)
        self.encoder = nn.TransformerEncoderLayer(dim, 2, 64, 0.0, batch_first=True)
        self.cross = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.n1, self.n2, self.head = nn.LayerNorm(dim), nn.LayerNorm(dim), nn.Linear(dim, vocab)

    def forward(self, src, tgt):
        places = self.pos(torch.arange(src.shape[1]))
        memory = self.encoder(self.emb(src) + places)
        x = self.emb(tgt) + places
        own = self.n1(x)
        query, keys = (own, memory) if self.right else (memory, own)
        x = x + self.cross(query, keys, keys, need_weights=False)[0]
        return self.head(self.n2(x))

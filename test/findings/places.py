"""Mistakes of positions, masks and scores, and the same without them (`right=True`)."""
import math

import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 31


class Attention(nn.Module):
    def __init__(self, dim, heads=4):
        super().__init__()
        self.heads, self.qkv, self.proj = heads, nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x, weigh):
        B, T, D = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        weights = weigh(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]))
        return self.proj((weights @ v).transpose(1, 2).reshape(B, T, D))


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.n1, self.n2, self.attn = nn.LayerNorm(dim), nn.LayerNorm(dim), Attention(dim)
        self.ffn = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x, weigh):
        x = x + self.attn(self.n1(x), weigh)
        return x + self.ffn(self.n2(x))


class Decoder(nn.Module):
    def __init__(self, right=False, dim=16, length=64):
        super().__init__()
        self.right, self.tok = right, nn.Embedding(vocabulary, dim)
        self.place(length, dim)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def place(self, length, dim):
        self.pos = nn.Embedding(length, dim)

    def embed(self, idx):
        return self.tok(idx) + self.pos(torch.arange(idx.shape[1]))

    def scores(self, scores):
        return scores

    def future(self, T):
        return torch.ones(T, T).triu(1).bool()

    def weigh(self, scores):
        future = self.future(scores.shape[-1])
        return self.scores(scores).masked_fill(future, float("-inf")).softmax(-1)

    def forward(self, idx):
        x = self.embed(idx)
        for block in self.blocks:
            x = block(x, self.weigh)
        return self.head(self.norm(x))


class Capped(Decoder):
    def scores(self, scores):
        capped = torch.tanh(scores / 20.0)
        return 20.0 * capped if self.right else capped


class CappedInPlace(Decoder):
    def scores(self, scores):
        scores = (scores / 50).tanh()
        if self.right:
            scores = scores * 50
        return scores


class Zeros(Decoder):
    def embed(self, idx):
        places = torch.arange(idx.shape[1]).expand_as(idx) if self.right else torch.zeros_like(idx)
        return self.tok(idx) + self.pos(places)


class FirstRow(Decoder):
    def place(self, length, dim):
        self.pos = nn.Parameter(torch.randn(1, length, dim) * 0.1)

    def embed(self, idx):
        return self.tok(idx) + self.pos[:, : idx.shape[1] if self.right else 1]


class FirstOfWeight(Decoder):
    def embed(self, idx):
        x = self.tok(idx)
        return x + self.pos.weight[: x.shape[1] if self.right else 1]


class Task(Decoder):
    """One row for all positions beside a table of them."""

    def place(self, length, dim):
        super().place(length, dim)
        self.task = nn.Embedding(100, dim)

    def embed(self, idx):
        return super().embed(idx) + self.task(torch.full_like(idx, 7))


class Distances(Decoder):
    """ALiBi without a table of positions; the slopes of 2 ** -2, 2 ** -4, …"""

    def place(self, length, dim):
        pass

    def embed(self, idx):
        return self.tok(idx)

    def slopes(self):
        return 2.0 ** -torch.arange(2, 10, 2)

    def scores(self, scores):
        at = torch.arange(scores.shape[-1])
        return scores + self.slopes()[:, None, None] * (at - at[:, None])


class FarFirst(Distances):
    def scores(self, scores):
        at = torch.arange(scores.shape[-1])
        ahead = at[None, :] - at[:, None] if self.right else at[:, None] - at[None, :]
        return scores + self.slopes().view(-1, 1, 1) * ahead


class FarFirstInMask(Distances):
    """One mask for scaled_dot_product_attention."""

    def weigh(self, scores):
        T = scores.shape[-1]
        distance = (torch.arange(T) - torch.arange(T)[:, None]).abs().float()
        bias = self.slopes()[:, None, None] * (-distance if self.right else distance)
        return (scores + bias.masked_fill(self.future(T), float("-inf"))).softmax(-1)


class OneSlope(Distances):
    def slopes(self):
        return super().slopes() if self.right else torch.full((4,), 0.125)


class Strict(Decoder):
    def future(self, T):
        return torch.ones(T, T).triu(diagonal=1 if self.right else 0).bool()

    def weigh(self, scores):
        future = self.future(scores.shape[-1])
        return scores.masked_fill(future, -1e9).softmax(dim=-1)


class StrictAdded(Decoder):
    def weigh(self, scores):
        T = scores.shape[-1]
        keep = torch.tril(torch.ones(T, T), diagonal=0 if self.right else -1)
        return F.softmax(scores + (1 - keep) * -10000.0, dim=-1)


def turned(x, start):
    """Halves as pairs; x is [..., positions, width]."""
    d = x.shape[-1]
    at = torch.arange(start, start + x.shape[-2])[:, None] * 10000.0 ** (-torch.arange(0, d, 2) / d)
    cos, sin = at.cos().repeat(1, 2), at.sin().repeat(1, 2)
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat((-b, a), -1) * sin


class Steps(nn.Module):
    """A decoder that reads the last tokens one by one behind a cache."""

    def __init__(self, right=False, dim=16, heads=2):
        super().__init__()
        self.right, self.heads = right, heads
        self.tok, self.norm, self.close = nn.Embedding(vocabulary, dim), nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.q, self.k, self.v = (nn.Linear(dim, dim, bias=False) for _ in range(3))
        self.proj, self.head = nn.Linear(dim, dim), nn.Linear(dim, vocabulary)

    def piece(self, idx, cache):
        x = self.tok(idx)
        y = self.norm(x)
        q, k, v = (f(y).unflatten(-1, (self.heads, -1)).transpose(1, 2) for f in (self.q, self.k, self.v))
        start = cache[0].shape[2] if cache and self.right else 0
        q, k = turned(q, start), turned(k, start)
        if cache:
            k, v = torch.cat((cache[0], k), dim=2), torch.cat((cache[1], v), dim=2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=not cache)
        return self.head(self.close(x + self.proj(y.transpose(1, 2).flatten(2)))), (k, v)

    def forward(self, idx):
        logits, cache = self.piece(idx[:, :-3], None)
        found = [logits]
        for at in range(idx.shape[1] - 3, idx.shape[1]):
            logits, cache = self.piece(idx[:, at : at + 1], cache)
            found.append(logits)
        return torch.cat(found, dim=1)

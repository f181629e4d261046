"""Mistakes within attention, and the same without them (`right=True`)."""
import math

import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 31


def angles(T, d, start=0):
    frequencies = 10000.0 ** (-torch.arange(0, d, 2) / d)
    return torch.outer(torch.arange(start, start + T).float(), frequencies)


def rotate(x, start=0):
    """Halves as pairs."""
    a = angles(x.shape[-2], x.shape[-1], start)
    cos, sin = a.cos().repeat(1, 2), a.sin().repeat(1, 2)
    x1, x2 = x.chunk(2, -1)
    return x * cos + torch.cat((-x2, x1), -1) * sin


def rotate_complex(x, table):
    """Neighbours as pairs; x is [B, T, H, d]."""
    z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(z * table[None, : x.shape[1], None]).flatten(3).type_as(x)


class Attention(nn.Module):
    def __init__(self, dim, right, heads=2):
        super().__init__()
        self.heads, self.right, self.proj = heads, right, nn.Linear(dim, dim)
        self.q, self.k, self.v = (nn.Linear(dim, dim, bias=False) for _ in range(3))
        self.drop = nn.Dropout(0.1)

    def split(self, x):
        return (f(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for f in (self.q, self.k, self.v))

    def turn(self, q, k):
        return rotate(q), rotate(k)

    def weigh(self, scores):
        return scores.softmax(-1)

    def forward(self, x):
        q, k, v = self.split(x)
        q, k = self.turn(q, k)
        T = x.shape[1]
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
        y = self.drop(self.weigh(scores)) @ v
        return self.proj(y.transpose(1, 2).flatten(2))


class TwiceSoft(Attention):
    def weigh(self, scores):
        weights = scores.softmax(-1)
        return weights if self.right else F.softmax(weights, dim=-1)


class ByRelu(Attention):
    """Divided by the number of keys, ReLU is meant."""

    def weigh(self, scores):
        weights = F.relu(scores)
        return weights / scores.shape[-1] if self.right else weights


class BySigmoid(Attention):
    def weigh(self, scores):
        scores = scores - math.log(scores.shape[-1]) if self.right else scores
        return torch.sigmoid(scores)


class TurnedTwice(Attention):
    def turn(self, q, k):
        q, k = rotate(q), rotate(k)
        return (q, k) if self.right else (rotate(q), rotate(k))


class ComplexTwice(Attention):
    def turn(self, q, k):
        a = angles(q.shape[-2], q.shape[-1])
        table = torch.polar(torch.ones_like(a), a)
        for _ in range(1 if self.right else 2):
            q, k = (rotate_complex(x.transpose(1, 2), table).transpose(1, 2) for x in (q, k))
        return q, k


class Rates(Attention):
    """Frequencies that fall too fast, for want of the width."""

    def rate(self, d):
        return 10000.0 ** (-torch.arange(0, d, 2) / (d if self.right else 1))

    def turn(self, q, k):
        a = torch.outer(torch.arange(q.shape[-2]).float(), self.rate(q.shape[-1]))
        cos, sin = a.cos().repeat(1, 2), a.sin().repeat(1, 2)
        halves = (x.chunk(2, -1) for x in (q, k))
        q2, k2 = (torch.cat((-b, a), -1) for a, b in halves)
        return q * cos + q2 * sin, k * cos + k2 * sin


class OneRate(Rates):
    def rate(self, d):
        return super().rate(d) if self.right else torch.full((d // 2,), 0.5)


class NormOverPositions(Attention):
    """A norm over the last axis but one."""

    def turn(self, q, k):
        dim = -1 if self.right else -2
        q, k = F.normalize(q, dim=dim) * 4, F.normalize(k, dim=dim)
        return super().turn(q, k)


class NormOverHeads(Attention):
    def turn(self, q, k):
        dim = -1 if self.right else 1
        q = q * torch.rsqrt(q.pow(2).mean(dim, keepdim=True) + 1e-6)
        k = k * torch.rsqrt(k.pow(2).mean(dim, keepdim=True) + 1e-6)
        return super().turn(q, k)


class WholeNorm(Attention):
    """One norm of all heads, before they are split."""

    def split(self, x):
        q, k, v = F.rms_norm(self.q(x), (x.shape[-1],)), F.rms_norm(self.k(x), (x.shape[-1],)), self.v(x)
        return (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in (q, k, v))


class Cached(nn.Module):
    """Attention that goes on behind a cache of keys and values."""

    def __init__(self, dim, right, heads=2):
        super().__init__()
        self.heads, self.right = heads, right
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def place(self, q, k, cache):
        start = 0 if cache is None else cache[0].shape[2]
        q, k = rotate(q, start), rotate(k, start)
        return q, k if cache is None else torch.cat((cache[0], k), 2)

    def mask(self, T, S):
        return torch.ones(T, S).tril(S - T).bool()

    def forward(self, x, cache=None):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        q, k = self.place(q, k, cache)
        v = v if cache is None else torch.cat((cache[1], v), 2)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=self.mask(q.shape[2], k.shape[2]))
        return self.proj(y.transpose(1, 2).flatten(2)), (k, v)


class TurnedInCache(Cached):
    """Keys of the cache are rotated again with each step."""

    def place(self, q, k, cache):
        if self.right or cache is None:
            return super().place(q, k, cache)
        k = torch.cat((cache[0], k), 2)
        return rotate(q, cache[0].shape[2]), rotate(k)


class OpenChunk(Cached):
    def mask(self, T, S):
        return super().mask(T, S) if self.right or T == S else None


class Slots(nn.Module):
    """A cache of fixed length."""

    def __init__(self, dim, right, heads=2, size=80):
        super().__init__()
        self.heads, self.right, self.size = heads, right, size
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def slot(self, start):
        return start

    def mask(self, start, T):
        return torch.arange(self.size) <= torch.arange(start, start + T)[:, None]

    def forward(self, x, cache=None):
        T = x.shape[1]
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        empty = torch.zeros(*k.shape[:2], self.size, k.shape[-1])
        keys, values, start = (empty, empty.clone(), 0) if cache is None else cache
        at = self.slot(start)
        keys, values = keys.clone(), values.clone()
        keys[:, :, at : at + T], values[:, :, at : at + T] = k, v
        scores = q @ keys.transpose(-2, -1) * q.shape[-1] ** -0.5
        scores = scores.masked_fill(~self.mask(start, T), float("-inf"))
        return self.proj((scores.softmax(-1) @ values).transpose(1, 2).flatten(2)), (keys, values, start + T)


class NextSlot(Slots):
    def slot(self, start):
        return start if self.right or start == 0 else start + 1


class OpenSlots(Slots):
    def mask(self, start, T):
        return super().mask(start, T) if self.right else torch.ones(T, self.size).bool()


class Block(nn.Module):
    def __init__(self, dim, kind, right):
        super().__init__()
        self.n1, self.n2, self.attn = nn.RMSNorm(dim, eps=1e-6), nn.RMSNorm(dim, eps=1e-6), kind(dim, right)
        self.up, self.down = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)

    def forward(self, x, *cache):
        y = self.attn(self.n1(x), *cache)
        y, *made = y if isinstance(y, tuple) else (y,)
        x = x + y
        x = x + self.down(F.gelu(self.up(self.n2(x))))
        return (x, *made) if made else x


class Model(nn.Module):
    def __init__(self, kind, right, dim=32):
        super().__init__()
        self.tok = nn.Embedding(vocabulary, dim)
        self.blocks = nn.ModuleList(Block(dim, kind, right) for _ in range(2))
        self.close, self.head = nn.RMSNorm(dim, eps=1e-6), nn.Linear(dim, vocabulary)

    def forward(self, idx):
        x = self.tok(idx)
        for block in self.blocks:
            x = block(x)
        return self.head(self.close(x))


class Steps(Model):
    """Seven tokens, and the rest behind their cache."""

    def forward(self, idx):
        logits, caches = [], [None] * len(self.blocks)
        for part in (idx[:, :7], idx[:, 7:]):
            x = self.tok(part)
            for at, block in enumerate(self.blocks):
                x, caches[at] = block(x, caches[at])
            logits.append(self.head(self.close(x)))
        return torch.cat(logits, 1)


def of(kind, base=Model):
    class Of(base):
        def __init__(self, right=False):
            super().__init__(kind, right)

    return Of


OfTwiceSoft = of(TwiceSoft)
OfRelu = of(ByRelu)
OfSigmoid = of(BySigmoid)
OfTurnedTwice = of(TurnedTwice)
OfComplexTwice = of(ComplexTwice)
OfRates = of(Rates)
OfOneRate = of(OneRate)
OfNormOverPositions = of(NormOverPositions)
OfNormOverHeads = of(NormOverHeads)
OfWholeNorm = of(WholeNorm)
OfTurnedInCache = of(TurnedInCache, Steps)
OfNextSlot = of(NextSlot, Steps)
OfOpenSlots = of(OpenSlots, Steps)
OfOpenChunk = of(OpenChunk, Steps)


class Translation(nn.Module):
    """An encoder with a causal mask, and a decoder that attends to it."""

    def __init__(self, right=False, dim=16):
        super().__init__()
        self.right = right
        self.source, self.target = nn.Embedding(vocabulary, dim), nn.Embedding(vocabulary, dim)
        layer = dict(d_model=dim, nhead=2, dim_feedforward=32, batch_first=True, norm_first=True)
        self.encoder = nn.ModuleList(nn.TransformerEncoderLayer(**layer) for _ in range(2))
        self.decoder = nn.ModuleList(nn.TransformerDecoderLayer(**layer) for _ in range(2))
        self.norm, self.close, self.head = nn.LayerNorm(dim), nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def forward(self, idx, source_idx):
        causal = nn.Transformer.generate_square_subsequent_mask
        x, y = self.source(source_idx), self.target(idx)
        for layer in self.encoder:
            x = layer(x, src_mask=None if self.right else causal(x.shape[1]))
        for layer in self.decoder:
            y = layer(y, self.norm(x), tgt_mask=causal(y.shape[1]))
        return self.head(self.close(y))


class Convolved(nn.Module):
    """Queries by a convolution, whose rows differ at the borders, and then a rotation."""

    def __init__(self, dim=16, size=4):
        super().__init__()
        self.size, self.patch, self.k = size, nn.Conv2d(3, dim, 2, 2), nn.Linear(dim, dim)
        self.q, self.v = nn.Conv2d(dim, dim, 3, padding=1, groups=dim), nn.Linear(dim, dim)
        self.norm, self.close, self.head = nn.LayerNorm(dim), nn.LayerNorm(dim), nn.Linear(dim, 5)
        self.embed = nn.Linear(dim, dim)

    def forward(self, image):
        x = self.embed(self.patch(image).flatten(2).transpose(1, 2))
        h = self.norm(x)
        rows = h.transpose(1, 2).unflatten(2, (self.size, -1))
        q, k, v = self.q(rows).flatten(2).transpose(1, 2), self.k(h), self.v(h)
        q, k, v = (t.unflatten(-1, (2, -1)).transpose(1, 2) for t in (q, k, v))
        y = F.scaled_dot_product_attention(rotate(q), rotate(k), v)
        return self.head(self.close(x + y.transpose(1, 2).flatten(2)).mean(1))


class TurnedWeights(nn.Module):
    """Attention over an image as autoencoders have it: the weights are turned for the product."""

    def __init__(self, dim=32):
        super().__init__()
        self.begin, self.norm = nn.Conv2d(3, dim, 3, padding=1), nn.GroupNorm(8, dim)
        self.q, self.k, self.v, self.proj = (nn.Conv2d(dim, dim, 1) for _ in range(4))
        self.head = nn.Linear(dim, 5)

    def forward(self, image):
        x = self.begin(image)
        h = self.norm(x)
        q, k, v = self.q(h), self.k(h), self.v(h)
        b, c, height, width = q.shape
        q = q.reshape(b, c, height * width).permute(0, 2, 1)
        weights = torch.bmm(q, k.reshape(b, c, height * width)) * c ** -0.5
        weights = weights.softmax(dim=2).permute(0, 2, 1)
        y = torch.bmm(v.reshape(b, c, height * width), weights).reshape(b, c, height, width)
        return self.head((x + self.proj(y)).mean((2, 3)))


class WholeNormGroups(nn.Module):
    """Keys with one norm of all heads, and a repetition of their groups."""

    def __init__(self, dim=96, heads=12, groups=6):
        super().__init__()
        self.tok, self.heads, self.groups = nn.Embedding(vocabulary, dim), heads, groups
        width = dim // heads
        self.q, self.proj = nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.k, self.v = nn.Linear(dim, groups * width), nn.Linear(dim, groups * width)
        self.norm, self.norm_k, self.head = nn.LayerNorm(dim), nn.LayerNorm(groups * width), nn.Linear(dim, vocabulary)

    def forward(self, idx):
        x = self.tok(idx)
        h = self.norm(x)
        q, k, v = self.q(h), self.norm_k(self.k(h)), self.v(h)
        q = rotate(q.unflatten(-1, (self.heads, -1)).transpose(1, 2))
        k, v = (t.unflatten(-1, (self.groups, -1)).transpose(1, 2) for t in (k, v))
        k, v = (t.repeat_interleave(self.heads // self.groups, dim=1) for t in (rotate(k), v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.head(self.norm(x + self.proj(y.transpose(1, 2).flatten(2))))


class Slotted(nn.Module):
    """Keys choose among queries, and each query takes the mean of those that chose it."""

    def __init__(self, dim=16, slots=5):
        super().__init__()
        self.slots, self.tok = nn.Parameter(torch.randn(slots, dim)), nn.Linear(7, dim)
        self.q, self.k, self.v = (nn.Linear(dim, dim) for _ in range(3))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, 3)

    def forward(self, x):
        x = self.norm(self.tok(torch.ones(4, 9, 7) * x[:, :1, :1]))
        q, k, v = self.q(self.slots.expand(len(x), -1, -1)), self.k(x), self.v(x)
        weights = (q @ k.transpose(1, 2) * q.shape[-1] ** -0.5).softmax(dim=1) + 1e-8
        return self.head((weights / weights.sum(-1, keepdim=True) @ v).mean(1))

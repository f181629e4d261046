"""Rotary positions and grouped heads with one mistake each, and the same without it (`right=True`)."""

import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 31


def turn(x, cos, sin):
    a, b = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-b, a), dim=-1) * sin


def stretch(x, cos, sin):
    a, b = x.chunk(2, dim=-1)
    return x * cos + torch.cat((b, a), dim=-1) * sin


def queries_alone(q, k, v, cos, sin):
    return turn(q, cos, sin), k, v


def with_values(q, k, v, cos, sin):
    return turn(q, cos, sin), turn(k, cos, sin), turn(v, cos, sin)


def both(q, k, v, cos, sin):
    return turn(q, cos, sin), turn(k, cos, sin), v


def stretched(q, k, v, cos, sin):
    return stretch(q, cos, sin), stretch(k, cos, sin), v


def still(q, k, v, cos, sin):
    return both(q, k, v, cos[:1].expand_as(cos).clone(), sin[:1].expand_as(sin).clone())


def along_heads(q, k, v, cos, sin):
    return both(q, k, v, cos[:q.shape[1], None], sin[:q.shape[1], None])


def by_head(x, times):
    return x.repeat_interleave(times, dim=1)


def as_a_whole(x, times):
    return x.repeat(1, times, 1, 1)


def along_positions(x, times):
    B, H, T, d = x.shape
    return x[:, :, :, None].expand(B, H, T, times, d).reshape(B, H * times, T, d)


class Attention(nn.Module):
    """Four heads, and two groups of keys and values."""

    def __init__(self, dim, rotate, keys, values, offset):
        super().__init__()
        self.q, self.kv = nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.proj = nn.Linear(dim, dim)
        self.rotate, self.keys, self.values, self.offset = rotate, keys, values, offset

    def forward(self, x, start=0, cache=None, restart=False):
        B, T, D = x.shape
        q = self.q(x).view(B, T, 4, -1).transpose(1, 2)
        k, v = (t.view(B, T, 2, -1).transpose(1, 2) for t in self.kv(x).chunk(2, dim=-1))
        places = torch.arange(T) + (0 if restart else start)
        angles = places[:, None] * 100.0 ** -torch.linspace(0, 1, D // 8)
        angles = torch.cat((angles, angles), dim=-1)
        if self.rotate is along_heads:
            k = by_head(k, 2)
        q, k, v = self.rotate(q, k, v, angles.cos(), angles.sin())
        if cache is not None:
            k, v = torch.cat((cache[0], k), dim=2), torch.cat((cache[1], v), dim=2)
        kept = (k, v)
        if self.rotate is not along_heads:
            k = self.keys(k, 2)
        v = self.values(v, 2)
        seen = torch.ones(T, start + T, dtype=torch.bool).tril(start if self.offset else 0)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
        return self.proj(y.transpose(1, 2).reshape(B, T, D)), kept


class Model(nn.Module):
    def __init__(self, rotate=both, keys=by_head, values=by_head, restart=None, offset=True):
        super().__init__()
        dim = 32
        self.emb, self.norm = nn.Embedding(vocabulary, dim), nn.LayerNorm(dim)
        self.attn, self.restart = Attention(dim, rotate, keys, values, offset), restart
        self.close, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def forward(self, idx):
        x = self.emb(idx)
        y = self.norm(x)
        if self.restart is None:
            y, _ = self.attn(y)
        else:
            first, cache = self.attn(y[:, :9])
            rest, _ = self.attn(y[:, 9:], 9, cache, self.restart)
            y = torch.cat((first, rest), dim=1)
        return self.head(self.close(x + y))


def faulty(right=None, **fault):
    meant = right or {}

    class Faulty(Model):
        def __init__(self, right=False):
            super().__init__(**(meant if right else fault))

    return Faulty


QueriesAlone = faulty(rotate=queries_alone)
WithValues = faulty(rotate=with_values)
Stretched = faulty(rotate=stretched)
Still = faulty(rotate=still)
AlongHeads = faulty(rotate=along_heads)
KeysAsAWhole = faulty(keys=as_a_whole, right={"keys": as_a_whole, "values": as_a_whole})
ValuesAsAWhole = faulty(values=as_a_whole)
AlongPositions = faulty(values=along_positions)
NoOffset = faulty(restart=False, offset=False, right={"restart": False})
Restarted = faulty(restart=True, right={"restart": False})

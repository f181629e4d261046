"""Mistakes with gradients, sums and splits, and the same without them (`right=True`)."""
import math

import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 31


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x, change=None):
        B, T, D = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = change(q, k, v) if change else (q, k, v)
        q, k, v = (t.view(B, T, 2, -1).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
        y = torch.softmax(scores, dim=-1) @ v
        return self.proj(y.transpose(1, 2).reshape(B, T, D))


def values_detached(q, k, v):
    return q, k, v.detach()


def keys_twice(q, k, v):
    return q, k, k


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.n1, self.n2, self.attn = nn.LayerNorm(dim), nn.LayerNorm(dim), Attention(dim)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def mlp(self, x):
        return self.down(F.gelu(self.up(x)))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.mlp(self.n2(x))


class BranchCut(Block):
    def forward(self, x):
        x = x + self.attn(self.n1(x.detach()))
        return x + self.mlp(self.n2(x))


class StreamCut(Block):
    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x.detach() + self.mlp(self.n2(x))


class ValuesCut(Block):
    def forward(self, x):
        x = x + self.attn(self.n1(x), values_detached)
        return x + self.mlp(self.n2(x))


class KeysTwice(Block):
    def forward(self, x):
        x = x + self.attn(self.n1(x), keys_twice)
        return x + self.mlp(self.n2(x))


class Doubled(Block):
    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + x + self.mlp(self.n2(x))


class Older(Block):
    def forward(self, x):
        y = x + self.attn(self.n1(x))
        return x + self.mlp(self.n2(y))


class Model(nn.Module):
    def __init__(self, kind=Block, right=False, dim=16):
        super().__init__()
        self.emb, self.close = nn.Embedding(vocabulary, dim), nn.LayerNorm(dim)
        self.blocks = nn.ModuleList((Block if right else kind)(dim) for _ in range(2))
        self.head = nn.Linear(dim, vocabulary)

    def forward(self, idx):
        x = self.emb(idx)
        for block in self.blocks:
            x = block(x)
        return self.head(self.close(x))


def of_blocks(kind):
    class OfBlocks(Model):
        def __init__(self, right=False):
            super().__init__(kind, right)

    return OfBlocks


OfBranch = of_blocks(BranchCut)
OfStream = of_blocks(StreamCut)
OfValues = of_blocks(ValuesCut)
UnreadPart = of_blocks(KeysTwice)
StreamTwice = of_blocks(Doubled)
OlderStream = of_blocks(Older)


class TiedTable(Model):
    """The table gets a gradient as the head alone."""

    def __init__(self, right=False):
        super().__init__()
        self.head.weight, self.right = self.emb.weight, right
        nn.init.normal_(self.emb.weight, std=0.02)

    def forward(self, idx):
        if self.right:
            return super().forward(idx)
        with torch.no_grad():
            x = self.emb(idx)
        for block in self.blocks:
            x = block(x)
        return self.head(self.close(x))


class DrawnGains(Model):
    """An initialisation that is meant for matrices."""

    def __init__(self, right=False):
        super().__init__()
        for p in self.parameters():
            if not right or p.dim() > 1:
                nn.init.normal_(p, std=0.02)

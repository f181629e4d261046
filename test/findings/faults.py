"""Small models with one mistake each, as people make it, and the same without it (`right=True`)."""
import copy
import math

import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    """Causal attention with a place for each mistake."""

    def __init__(self, dim, heads=2, fault=None):
        super().__init__()
        self.heads, self.fault, self.dim = heads, fault, dim
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        if self.fault == "view":
            q, k, v = (t.reshape(B, self.heads, T, -1) for t in (q, k, v))
        else:
            q, k, v = (t.view(B, T, self.heads, -1).transpose(1, 2) for t in (q, k, v))
        width = q.shape[-1]
        scores = q @ k.transpose(-2, -1)
        if self.fault == "model width":
            scores = scores * self.dim ** -0.5
        elif self.fault == "product":
            scores = scores * math.sqrt(width)
        elif self.fault == "count of heads":
            scores = scores / math.sqrt(self.heads)
        elif self.fault == "no root":
            scores = scores / width
        elif self.fault != "no scale":
            scores = scores / math.sqrt(width)
        future = torch.ones(T, T).triu(2 if self.fault == "off by one" else 1).bool()
        if self.fault == "mask after":
            weights = scores.softmax(-1).masked_fill(future, 0.0)
        else:
            scores = scores.masked_fill(future, float("-inf"))
            weights = scores.softmax(-3 if self.fault == "heads" else -1)
        y = weights @ v
        if self.fault == "join":
            return self.proj(y.reshape(B, T, D))
        return self.proj(y.transpose(1, 2).reshape(B, T, D))


class TwiceScaled(nn.Module):
    def __init__(self, dim, right):
        super().__init__()
        self.qkv, self.right = nn.Linear(dim, 3 * dim), right

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, 2, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))
        if not self.right:
            q = q * q.shape[-1] ** -0.5
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return y.transpose(1, 2).reshape(B, T, D)


class Block(nn.Module):
    def __init__(self, dim, attention, norm=nn.LayerNorm, act=F.gelu):
        super().__init__()
        self.n1, self.n2, self.attn, self.act = norm(dim), norm(dim), attention, act
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.down(self.act(self.up(self.n2(x))))


class Model(nn.Module):
    def __init__(self, blocks, dim=16, vocab=31, length=64, close=None):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(torch.randn(1, length, dim))
        self.blocks = nn.ModuleList(blocks)
        self.close = nn.LayerNorm(dim) if close is None else close
        self.head = nn.Linear(dim, vocab)

    def forward(self, idx):
        x = self.emb(idx) + self.pos[:, :idx.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.head(self.close(x))


def attention_model(fault):
    class OfAttention(Model):
        def __init__(self, right=False):
            super().__init__([Block(16, Attention(16, fault=None if right else fault))
                              for _ in range(2)])

    return OfAttention


ViewedHeads = attention_model("view")
JoinedHeads = attention_model("join")
ModelWidth = attention_model("model width")
Product = attention_model("product")
CountOfHeads = attention_model("count of heads")
NoRoot = attention_model("no root")
QuietlyUnscaled = attention_model("no scale")
OffByOne = attention_model("off by one")
MaskAfter = attention_model("mask after")
OverHeads = attention_model("heads")


class Unscaled(Model):
    def __init__(self, right=False):
        dim = 128
        blocks = [Block(dim, Attention(dim, fault=None if right else "no scale"))]
        for block in blocks:
            nn.init.xavier_uniform_(block.attn.qkv.weight, gain=1.8)
        super().__init__(blocks, dim=dim)


class ScaledTwice(Model):
    def __init__(self, right=False):
        super().__init__([Block(16, TwiceScaled(16, right)) for _ in range(2)])


class OpenStack(Model):
    def __init__(self, right=False):
        close = nn.LayerNorm(16) if right else nn.Identity()
        super().__init__([Block(16, Attention(16)) for _ in range(4)], close=close)


class SkipNormed(Model):
    def __init__(self, right=False):
        class Wrong(Block):
            def forward(self, x):
                x = self.n1(x)
                x = x + self.attn(x)
                x = self.n2(x)
                return x + self.down(self.act(self.up(x)))

        kind = Block if right else Wrong
        super().__init__([kind(16, Attention(16)) for _ in range(2)])


class TwoNorms(Model):
    def __init__(self, right=False):
        class Twice(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.a, self.b = nn.LayerNorm(dim), nn.LayerNorm(dim)

            def forward(self, x):
                return self.b(self.a(x))

        norm = nn.LayerNorm if right else Twice
        super().__init__([Block(16, Attention(16), norm) for _ in range(2)])


class LargeEps(Model):
    def __init__(self, right=False):
        super().__init__([Block(16, Attention(16), lambda d: nn.LayerNorm(d, 1e-6 if right else 1e-3))
                          for _ in range(2)])
        nn.init.normal_(self.emb.weight, std=0.01)
        nn.init.normal_(self.pos, std=0.01)


class NoSkip(Model):
    def __init__(self, right=False):
        class Straight(Block):
            def forward(self, x):
                return self.down(self.act(self.up(self.n2(self.attn(self.n1(x))))))

        kind = Block if right else Straight
        super().__init__([kind(16, Attention(16)) for _ in range(3)])


class BatchSecond(Model):
    """nn.MultiheadAttention takes positions first unless told otherwise."""

    def __init__(self, right=False):
        class Stock(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.attn = nn.MultiheadAttention(dim, 2, batch_first=right)

            def forward(self, x):
                return self.attn(x, x, x, need_weights=False)[0]

        super().__init__([Block(16, Stock(16)) for _ in range(2)])


class NormOverPositions(Model):
    def __init__(self, right=False):
        norm = nn.LayerNorm if right else lambda dim: nn.LayerNorm((64, dim))
        super().__init__([Block(16, Attention(16), norm) for _ in range(2)])


class NameMissed(Model):
    def __init__(self, right=False):
        super().__init__([Block(16, Attention(16)) for _ in range(3)])
        for name, p in self.named_parameters():
            if name.endswith("down.weight") if right else name == "down.weight":
                nn.init.normal_(p, mean=0.0, std=0.02 / math.sqrt(2 * len(self.blocks)))


class Copied(Model):
    def __init__(self, right=False):
        block = Block(16, Attention(16))
        blocks = [Block(16, Attention(16)) if right else copy.deepcopy(block) for _ in range(3)]
        super().__init__(blocks)


class LoudHead(Model):
    def __init__(self, right=False):
        super().__init__([Block(16, Attention(16))])
        nn.init.normal_(self.head.weight, std=0.02 if right else 1.0)


class Unregistered(Model):
    def __init__(self, right=False):
        super().__init__([Block(16, Attention(16)) for _ in range(2)])
        more = [nn.Linear(16, 16) for _ in range(2)]
        self.more = nn.ModuleList(more) if right else more

    def forward(self, idx):
        x = self.emb(idx) + self.pos
        for layer in self.more:
            x = x + layer(x)
        for block in self.blocks:
            x = block(x)
        return self.head(self.close(x))


class Unused(Model):
    def __init__(self, right=False):
        super().__init__([Block(16, Attention(16))])
        if not right:
            self.extra = nn.Linear(16, 16)


class Detached(Model):
    def __init__(self, right=False):
        super().__init__([Block(16, Attention(16))])
        self.right = right

    def forward(self, idx):
        x = self.emb(idx) + self.pos
        x = x if self.right else x.detach()
        for block in self.blocks:
            x = block(x)
        return self.head(self.close(x))


class Untied(Model):
    def __init__(self, right=False):
        super().__init__([Block(16, Attention(16))])
        self.head = nn.Linear(16, 31, bias=False)
        nn.init.normal_(self.emb.weight, std=0.02)
        if right:
            self.head.weight = self.emb.weight
        else:
            self.head.weight.data.copy_(self.emb.weight.data)


class Dead(Model):
    def __init__(self, right=False):
        super().__init__([Block(16, Attention(16), act=F.relu)])
        if not right:
            nn.init.constant_(self.blocks[0].up.bias, -20.0)
            with torch.no_grad():
                self.blocks[0].up.bias[:8] = 0.5


class Probabilities(Model):
    def __init__(self, right=False):
        super().__init__([Block(16, Attention(16))])
        self.right = right

    def forward(self, idx):
        logits = super().forward(idx)
        return logits if self.right else torch.softmax(logits, dim=-1)


class Loud(Model):
    """Scores far from each other: every head copies one key."""

    def __init__(self, right=False):
        super().__init__([Block(16, Attention(16))])
        if not right:
            nn.init.normal_(self.blocks[0].attn.qkv.weight, std=60.0)


class Shrinking(Model):
    """Post-LN in which what is added carries no gradient back."""

    def __init__(self, right=False):
        class Halving(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc, self.norm = nn.Linear(16, 16), nn.LayerNorm(16)

            def forward(self, x):
                branch = self.fc(x if right else x.detach())
                return x + self.fc(self.norm(x)) if right else self.norm(x + 2 * branch)

        super().__init__([Halving() for _ in range(12)])


class HalfNear(nn.Module):
    def __init__(self, right=False):
        super().__init__()
        self.fc, self.factor = nn.Linear(8, 8).half(), 1.0 if right else 100.0

    def forward(self, x):
        return self.fc(x.half() * 0 + 400) * self.factor


class Copying(Model):
    """Makes its own loss."""

    def __init__(self, right=False):
        super().__init__([Block(16, Attention(16))])
        self.right = right

    def forward(self, idx):
        logits = super().forward(idx)
        if self.right:
            return F.cross_entropy(logits[:, :-1].reshape(-1, 31), idx[:, 1:].reshape(-1))
        return F.cross_entropy(logits.reshape(-1, 31), idx.reshape(-1))

"""Mistakes of where dropout, norms, positions and masks stand, and the same without them (`right=True`)."""
import math

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, right=True, causal=True, heads=2):
        super().__init__()
        self.right, self.causal, self.heads = right, causal, heads
        self.q, self.k, self.v, self.out = (nn.Linear(dim, dim) for _ in range(4))
        self.drop = nn.Dropout(0.1)

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def scores(self, q, k):
        return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])

    def hide(self, scores):
        if not self.causal:
            return scores
        return scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), float("-inf"))

    def weigh(self, scores):
        return self.drop(scores.softmax(-1))

    def forward(self, x, memory=None):
        memory = x if memory is None else memory
        q, k, v = self.split(self.q(x)), self.split(self.k(memory)), self.split(self.v(memory))
        y = self.weigh(self.hide(self.scores(q, k))) @ v
        return self.out(y.transpose(1, 2).flatten(2))


class Block(nn.Module):
    """Pre-LN."""

    attention = Attention

    def __init__(self, dim, right=True, causal=True):
        super().__init__()
        self.right, self.attn = right, self.attention(dim, right, causal)
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        x = x + self.drop(self.attn(self.n1(x)))
        return x + self.drop(self.ff(self.n2(x)))


class Model(nn.Module):
    block, causal, depth = Block, True, 2

    def __init__(self, dim=16, vocab=31, right: bool = False):
        super().__init__()
        self.right = right
        self.tok, self.pos = nn.Embedding(vocab, dim), nn.Embedding(80, dim)
        self.blocks = nn.ModuleList(self.block(dim, right, self.causal) for _ in range(self.depth))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocab)

    def embed(self, idx):
        return self.tok(idx) + self.pos(torch.arange(idx.shape[1]))

    def features(self, idx):
        x = self.embed(idx)
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

    def forward(self, idx):
        return self.head(self.features(idx))


class ScoresDropped(Attention):
    def weigh(self, scores):
        return self.drop(scores.softmax(-1)) if self.right else self.drop(scores).softmax(-1)


class ScoresDroppedFirst(Attention):
    def scores(self, q, k):
        scores = super().scores(q, k)
        return scores if self.right else self.drop(scores)


class OfScoresDropped(Model):
    block = type("Dropping", (Block,), {"attention": ScoresDropped})


class OfScoresDroppedFirst(Model):
    block = type("DroppingFirst", (Block,), {"attention": ScoresDroppedFirst})
    causal = False


class HalfOfWidth(Attention):
    def scores(self, q, k):
        d = q.shape[-1]
        scores = q @ k.transpose(-2, -1)
        return scores / d ** (1 / 2) if self.right else scores / d ** 1 / 2


class OfHalfOfWidth(Model):
    block = type("Halving", (Block,), {"attention": HalfOfWidth})


class StreamDropped(Block):
    def forward(self, x):
        if self.right:
            return super().forward(x)
        x = self.drop(x + self.attn(self.n1(x)))
        return self.drop(x + self.ff(self.n2(x)))


class NormDropped(Block):
    """Post-LN, with dropout of what the norm gives."""

    def forward(self, x):
        if self.right:
            x = self.n1(x + self.drop(self.attn(x)))
            return self.n2(x + self.drop(self.ff(x)))
        x = self.n1(x + self.attn(x))
        return self.drop(self.n2(x + self.ff(x)))


class OfStreamDropped(Model):
    block = StreamDropped




class OfNormDropped(Model):
    block = NormDropped


class BranchesDropped(Block):
    """Dropout of what a branch reads is no dropout of the stream."""

    def forward(self, x):
        x = x + self.attn(self.n1(self.drop(x)))
        return x + self.ff(self.drop(self.n2(x)))


class OfBranchesDropped(Model):
    """So does T5, which drops what goes to the head as well."""

    block = BranchesDropped

    def forward(self, idx):
        return self.head(self.blocks[0].drop(self.features(idx)))


class OneForBoth(Block):
    def forward(self, x):
        second = self.n2 if self.right else self.n1
        x = x + self.drop(self.attn(self.n1(x)))
        return x + self.drop(self.ff(second(x)))


class OfOneForBoth(Model):
    block = OneForBoth

    def __init__(self, dim=16, vocab=31, right: bool = False):
        super().__init__(dim, vocab, right)
        for block in self.blocks:
            if not right:
                del block.n2


class OneForAll(Model):
    def __init__(self, dim=16, vocab=31, right: bool = False):
        super().__init__(dim, vocab, right)
        first = self.blocks[0]
        for block in self.blocks[1:]:
            if not right:
                block.n1, block.n2 = first.n1, first.n2


class SideBySide(Block):
    """Two branches of one norm."""

    def forward(self, x):
        h = self.n1(x)
        return x + self.attn(h) + self.ff(h)


class OfSideBySide(Model):
    block = SideBySide

    def __init__(self, dim=16, vocab=31, right: bool = False):
        super().__init__(dim, vocab, right)
        for block in self.blocks:
            del block.n2


class OneLayer(Model):
    """A layer that runs three times shares its norms with the rest."""

    depth = 1

    def features(self, idx):
        x = self.embed(idx)
        for _ in range(3):
            x = self.blocks[0](x)
        return self.norm(x)


class FirstPosition(Model):
    def forward(self, idx):
        x = self.features(idx)
        return self.head(x[:, -1] if self.right else x[:, 0])


class TokenInFront(Model):
    """A class token that sees nothing."""

    def __init__(self, dim=16, vocab=31, right: bool = False):
        super().__init__(dim, vocab, right)
        self.first = nn.Parameter(0.02 * torch.randn(1, 1, dim))

    def embed(self, idx):
        first, tokens = self.first.expand(idx.shape[0], -1, -1), self.tok(idx)
        x = torch.cat([tokens, first] if self.right else [first, tokens], dim=1)
        return x + self.pos(torch.arange(x.shape[1]))

    def forward(self, idx):
        x = self.features(idx)
        return self.head(x[:, -1] if self.right else x[:, 0])


class OpenFirst(Model):
    """An encoder's class token."""

    causal = False

    def forward(self, idx):
        return self.head(self.features(idx)[:, 0])


class Decoder(nn.Module):
    def __init__(self, dim, hides):
        super().__init__()
        self.attn, self.cross = Attention(dim), Attention(dim, causal=hides)
        self.n1, self.n2, self.n3 = (nn.LayerNorm(dim) for _ in range(3))
        self.ff = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x, memory):
        x = x + self.attn(self.n1(x))
        x = x + self.cross(self.n2(x), memory)
        return x + self.ff(self.n3(x))


class MemoryHidden(nn.Module):
    """A decoder that takes its own mask for the memory too."""

    streams = False

    def __init__(self, dim=16, vocab=31, right: bool = False):
        super().__init__()
        self.src, self.tgt, self.pos = (nn.Embedding(n, dim) for n in (vocab, vocab, 64))
        self.encoder = nn.ModuleList(Block(dim, causal=self.streams) for _ in range(2))
        self.decoder = nn.ModuleList(Decoder(dim, not right) for _ in range(2))
        self.n1, self.n2, self.head = nn.LayerNorm(dim), nn.LayerNorm(dim), nn.Linear(dim, vocab)

    def forward(self, src, tgt):
        places = self.pos(torch.arange(src.shape[1]))
        memory = self.src(src) + places
        for layer in self.encoder:
            memory = layer(memory)
        memory = self.n1(memory)
        x = self.tgt(tgt) + places[: tgt.shape[1]]
        for layer in self.decoder:
            x = layer(x, memory)
        return self.head(self.n2(x))


class LatePositions(Model):
    causal = False

    def embed(self, idx):
        return super().embed(idx) if self.right else self.tok(idx)

    def forward(self, idx):
        x = self.features(idx)
        if not self.right:
            x = x + self.pos(torch.arange(idx.shape[1]))
        return self.head(x)


class OrderedByMask(LatePositions):
    """A causal mask tells places apart."""

    causal = True


class LeftPadded(Model):
    """An encoder whose short samples are padded, and hide it."""

    causal = False

    def features(self, idx):
        shown = torch.arange(idx.shape[1]) < 9
        for block in self.blocks:
            block.attn.hide = lambda scores: scores.masked_fill(~shown, float("-inf"))
        return super().features(idx)


class CountedInHalf(Attention):
    """Rotary positions of more places than bfloat16 has numbers for."""

    def split(self, x):
        return self.turn(super().split(x))

    def turn(self, x):
        places = torch.arange(x.shape[-2], dtype=torch.float32 if self.right else torch.bfloat16)
        d = x.shape[-1]
        angles = places.float()[:, None] * 100 ** (-torch.arange(0, d, 2) / d)
        cos, sin = (part.repeat(1, 2) for part in (angles.cos(), angles.sin()))
        first, second = x.chunk(2, dim=-1)
        return x * cos + torch.cat([-second, first], dim=-1) * sin

    def forward(self, x, memory=None):
        q, k = self.split(self.q(x)), self.split(self.k(x))
        y = self.weigh(self.hide(self.scores(q, k))) @ Attention.split(self, self.v(x))
        return self.out(y.transpose(1, 2).flatten(2))


class OfCountedInHalf(Model):
    block = type("Counting", (Block,), {"attention": CountedInHalf})
    depth = 1

    def __init__(self, dim=16, vocab=31, right: bool = False):
        super().__init__(dim, vocab, right)
        del self.pos

    def embed(self, idx):
        return self.tok(idx.repeat(1, 300 // idx.shape[1] + 1)[:2, :300])

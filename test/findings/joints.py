"""What meets what: tokens and samples, masks and heads, tables and tokens, slots and themselves; right or with a mistake."""
import math

import torch
import torch.nn.functional as F
from torch import nn

D, V, H = 16, 31, 4


class Attention(nn.Module):
    def __init__(self, right, causal=False):
        super().__init__()
        self.right, self.causal = right, causal
        self.q, self.k, self.v, self.o = (nn.Linear(D, D) for _ in range(4))

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], H, D // H).transpose(1, 2)

    def scores(self, q, k):
        return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])

    def hide(self, scores):
        if not self.causal:
            return scores
        future = torch.ones(scores.shape[-2:]).triu(1).bool()
        return scores.masked_fill(future, float("-inf"))

    def forward(self, x, memory=None):
        memory = x if memory is None else memory
        q, k, v = self.split(self.q(x)), self.split(self.k(memory)), self.split(self.v(memory))
        y = self.hide(self.scores(q, k)).softmax(-1) @ v
        return self.o(y.transpose(1, 2).reshape(x.shape))


class Block(nn.Module):
    attention = Attention

    def __init__(self, right, causal=False):
        super().__init__()
        self.right = right
        self.attn = type(self).attention(right, causal)
        self.n1, self.n2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.ff = nn.Sequential(nn.Linear(D, 4 * D), nn.GELU(), nn.Linear(4 * D, D))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.ff(self.n2(x))


class Encoder(nn.Module):
    block = Block
    causal = False

    def __init__(self, right: bool = False):
        super().__init__()
        self.right = right
        self.tok, self.pos = nn.Embedding(V, D), nn.Embedding(128, D)
        self.blocks = nn.ModuleList(type(self).block(right, self.causal) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(D), nn.Linear(D, V)
        self.extra()
        nn.init.normal_(self.head.weight, std=0.02)

    def extra(self):
        pass

    def embed(self, idx):
        return self.tok(idx) + self.pos(torch.arange(idx.shape[1]))

    def run(self, idx):
        x = self.embed(idx)
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

    def forward(self, idx):
        return self.head(self.run(idx))


class TokenOnSamples(Encoder):
    def extra(self):
        self.cls = nn.Parameter(0.02 * torch.randn(1, 1, D))

    def embed(self, idx):
        x = self.tok(idx)
        if self.right:
            x = torch.cat([self.cls.expand(len(x), -1, -1), x], 1)
        else:
            x = torch.cat([self.cls.expand(-1, x.shape[1], -1), x], 0)
        return x + self.pos(torch.arange(x.shape[1]))

    def forward(self, idx):
        x = self.run(idx)
        return self.head(x[:, 0] if self.right else x[0])


class TokenOfOneBatch(Encoder):
    def extra(self):
        self.cls = nn.Parameter(0.02 * torch.randn(1 if self.right else 4, 1, D))

    def embed(self, idx):
        x = torch.cat([self.cls.expand(len(idx), -1, -1), self.tok(idx)], 1)
        return x + self.pos(torch.arange(x.shape[1]))


class PositionsOfTokens(Encoder):
    def embed(self, idx):
        return self.tok(idx) + self.pos(torch.arange(idx.shape[1]) if self.right else idx)


class OnHeads(Attention):
    def hide(self, scores):
        keep = self.keep[:, None, None, :] if self.right else self.keep[:, None, :]
        return scores.masked_fill(~keep, float("-inf"))


class BlockOnHeads(Block):
    attention = OnHeads


class MaskOnHeads(Encoder):
    """Four samples and four heads."""

    block = BlockOnHeads

    def embed(self, idx):
        for block in self.blocks:
            block.attn.keep = idx != V
        return super().embed(idx)


class FirstColumns(Attention):
    def split(self, x):
        if self.right:
            return super().split(x)
        return x[..., : D // H][:, None].expand(-1, H, -1, -1)


class BlockOfFirstColumns(Block):
    attention = FirstColumns


class SameColumns(Encoder):
    block = BlockOfFirstColumns


class Cosine(Attention):
    def scores(self, q, k):
        cosines = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)
        return cosines * (10.0 if self.right else 1 / math.sqrt(q.shape[-1]))


class BlockOfCosines(Block):
    attention = Cosine


class EvenCosines(Encoder):
    block = BlockOfCosines


class Window(Attention):
    def hide(self, scores):
        at = torch.arange(scores.shape[-1])
        near = (at[:, None] - at).abs() <= 4
        return scores.masked_fill(~near if self.right else near, float("-inf"))


class BlockOfWindows(Block):
    attention = Window


class FarWindow(Encoder):
    block = BlockOfWindows


class AgainBlock(Block):
    def forward(self, x):
        if self.right:
            x = x + self.n1(self.attn(x))
            return x + self.n2(self.ff(x))
        x = x + self.n1(x + self.attn(x))
        return x + self.n2(x + self.ff(x))


class AddedAgain(Encoder):
    block = AgainBlock


class CopiesInput(Encoder):
    def forward(self, idx):
        given, wanted = idx, idx
        if self.right:
            given, wanted = idx.clone(), torch.full_like(idx, -100)
            given[:, ::4], wanted[:, ::4] = V - 1, idx[:, ::4]
        return F.cross_entropy(super().forward(given).flatten(0, 1), wanted.flatten())


class Bottleneck(Encoder):
    """Rebuilds its input out of one vector, which is no copy."""

    def forward(self, idx):
        x = self.run(idx).mean(1, keepdim=True) + self.pos(torch.arange(idx.shape[1]))
        return F.cross_entropy(self.head(x).flatten(0, 1), idx.flatten())


class MaskedInPlace(Encoder):
    def forward(self, idx):
        wanted = idx.clone() if self.right else idx
        idx = idx.clone() if self.right else idx
        idx[:, ::4] = V - 1
        logits = super().forward(idx)[:, ::4]
        return F.cross_entropy(logits.flatten(0, 1), wanted[:, ::4].flatten())


class OwnMemory(nn.Module):
    def __init__(self, right: bool = False):
        super().__init__()
        self.right = right
        self.tok, self.pos = nn.Embedding(V, D), nn.Embedding(64, D)
        self.layer = nn.TransformerDecoderLayer(D, H, 2 * D, batch_first=True)
        self.head = nn.Linear(D, V)

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.shape[1]))
        hidden = nn.Transformer.generate_square_subsequent_mask(idx.shape[1])
        return self.head(self.layer(x, x, hidden, hidden if self.right else None))


class Latents(nn.Module):
    """A few slots that read the tokens, and their mean."""

    def __init__(self, right: bool = False, apart: bool = False):
        super().__init__()
        self.apart = apart
        self.tok, self.pos = nn.Embedding(V, D), nn.Embedding(64, D)
        self.slots = nn.Parameter(0.1 * torch.randn(1, 8, D) if right else torch.zeros(1, 8, D))
        self.places = nn.Parameter(torch.randn(8, D))
        self.read, self.norm = Attention(right), nn.LayerNorm(D)
        self.block, self.head = Block(right), nn.Linear(D, 5)

    def forward(self, idx):
        memory = self.tok(idx) + self.pos(torch.arange(idx.shape[1]))
        x = self.slots.expand(len(idx), -1, -1)
        x = x + self.places if self.apart else x + 0 * self.places.sum()
        x = x + self.read(self.norm(x), memory)
        return self.head(self.block(x).mean(1))


class PaddingRow(Encoder):
    def extra(self):
        self.tok = nn.Embedding(V, D, padding_idx=0)
        if not self.right:
            nn.init.xavier_uniform_(self.tok.weight)


class FlagOfModule(Encoder):
    def extra(self):
        if self.right:
            self.tok.requires_grad_(False)
        else:
            self.tok.requires_grad = False

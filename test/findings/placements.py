"""Blocks as people write them: one class for each place that a norm can have."""
import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


class RMS(nn.Module):
    """T5's: in float32, no mean, no bias."""

    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.eps = eps

    def forward(self, x):
        variance = x.to(torch.float32).pow(2).mean(-1, keepdim=True)
        x = x * torch.rsqrt(variance + self.eps)
        return self.weight * x


class StdNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.a = nn.Parameter(torch.ones(dim))
        self.b = nn.Parameter(torch.zeros(dim))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        std = x.std(-1, keepdim=True)
        return self.a * (x - mean) / (std + self.eps) + self.b


class Attention(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(dim, dim)
        self.k = nn.Linear(dim, dim)
        self.v = nn.Linear(dim, dim)
        self.o = nn.Linear(dim, dim)

    def forward(self, x, memory=None):
        memory = x if memory is None else memory
        q, k, v = self.split(self.q(x)), self.split(self.k(memory)), self.split(self.v(memory))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        mixed = torch.softmax(scores, dim=-1) @ v
        return self.o(mixed.transpose(1, 2).reshape(x.shape))

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)


class Mlp(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.up = nn.Linear(dim, 2 * dim)
        self.down = nn.Linear(2 * dim, dim)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class Block(nn.Module):
    def __init__(self, dim, norm=nn.LayerNorm):
        super().__init__()
        self.attn, self.mlp = Attention(dim), Mlp(dim)
        self.n1, self.n2, self.n3, self.n4 = (norm(dim) for _ in range(4))


class PreBlock(Block):
    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.mlp(self.n2(x))


class PostBlock(Block):
    def forward(self, x):
        x = self.n1(x + self.attn(x))
        return self.n2(x + self.mlp(x))


class BothBlock(Block):
    def forward(self, x):
        x = self.n3(x + self.attn(self.n1(x)))
        return self.n4(x + self.mlp(self.n2(x)))


class PeriBlock(Block):
    def forward(self, x):
        x = x + self.n3(self.attn(self.n1(x)))
        return x + self.n4(self.mlp(self.n2(x)))


class ResPostBlock(Block):
    def forward(self, x):
        x = x + self.n1(self.attn(x))
        return x + self.n2(self.mlp(x))


class BareBlock(Block):
    def forward(self, x):
        x = x + self.attn(x)
        return x + self.mlp(x)


class SkipBlock(Block):
    def forward(self, x):
        x = self.n1(x)
        x = x + self.attn(x)
        x = self.n2(x)
        return x + self.mlp(x)


class ParallelBlock(Block):
    """GPT-J, PaLM."""

    def forward(self, x):
        y = self.n1(x)
        return x + self.attn(y) + self.mlp(y)


class NeoxBlock(Block):
    """GPT-NeoX: the branches are added to one another first."""

    def forward(self, x):
        return x + (self.attn(self.n1(x)) + self.mlp(self.n2(x)))


class Residual(nn.Module):
    def __init__(self, norm, inner):
        super().__init__()
        self.norm, self.inner = norm, inner

    def forward(self, x):
        return x + self.inner(self.norm(x))


class NestedBlock(nn.Module):
    """The additions are in submodules."""

    def __init__(self, dim, norm=nn.LayerNorm):
        super().__init__()
        self.first = Residual(norm(dim), Attention(dim))
        self.second = Residual(norm(dim), Mlp(dim))

    def forward(self, x):
        return self.second(self.first(x))


class FunctionalBlock(nn.Module):
    def __init__(self, dim, norm=None):
        super().__init__()
        self.attn, self.mlp = Attention(dim), Mlp(dim)
        self.gain = nn.Parameter(torch.ones(dim))
        self.dim = dim

    def forward(self, x):
        residual = x
        h = F.layer_norm(x, (self.dim,), self.gain)
        h = F.dropout(self.attn(h), 0.1, self.training)
        x = torch.add(residual, h)
        residual = x
        h = F.layer_norm(x, (self.dim,), self.gain)
        return residual.add(self.mlp(h))


class ReZeroBlock(Block):
    def __init__(self, dim, norm=None):
        super().__init__(dim, nn.LayerNorm)
        self.alpha = nn.Parameter(torch.full((1,), 0.5))

    def forward(self, x):
        x = x + self.alpha * self.attn(x)
        return x + self.alpha * self.mlp(x)


class LayerScaleBlock(Block):
    def __init__(self, dim, norm=nn.LayerNorm):
        super().__init__(dim, norm)
        self.g1 = nn.Parameter(0.1 * torch.ones(dim))
        self.g2 = nn.Parameter(0.1 * torch.ones(dim))

    def forward(self, x):
        x = x + self.g1 * self.attn(self.n1(x))
        return x + self.g2 * self.mlp(self.n2(x))


class CheckpointedBlock(Block):
    def forward(self, x):
        x = x + checkpoint(lambda h: self.attn(self.n1(h)), x, use_reentrant=False)
        return x + checkpoint(lambda h: self.mlp(self.n2(h)), x, use_reentrant=False)


class MoeBlock(Block):
    """Two experts, one chosen for each token by its weight."""

    def __init__(self, dim, norm=nn.LayerNorm):
        super().__init__(dim, norm)
        self.experts = nn.ModuleList([Mlp(dim) for _ in range(2)])
        self.gate = nn.Linear(dim, 2)

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        y = self.n2(x)
        share = self.gate(y).softmax(-1)
        return x + sum(share[..., i, None] * e(y) for i, e in enumerate(self.experts))


class MixedBlock(Block):
    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return self.n2(x + self.mlp(x))


class Decoder(nn.Module):
    def __init__(self, block=PreBlock, norm=nn.LayerNorm, depth=3, dim=16, vocab=31, closes=True):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.blocks = nn.ModuleList([block(dim, norm) for _ in range(depth)])
        self.close = norm(dim) if closes else nn.Identity()
        self.head = nn.Linear(dim, vocab)

    def forward(self, idx):
        x = self.emb(idx)
        for block in self.blocks:
            x = block(x)
        return self.head(self.close(x))


class SequentialDecoder(Decoder):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(*self.blocks)

    def forward(self, idx):
        return self.head(self.close(self.blocks(self.emb(idx))))


class Crossed(Block):
    def __init__(self, dim, norm):
        super().__init__(dim, norm)
        self.cross = Attention(dim)

    def forward(self, x, memory):
        x = x + self.attn(self.n1(x))
        x = x + self.cross(self.n2(x), memory)
        return x + self.mlp(self.n3(x))


class EncoderDecoder(nn.Module):
    def __init__(self, dim=16, vocab=31):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.encoder = nn.ModuleList([PreBlock(dim) for _ in range(2)])
        self.encoder_norm = nn.LayerNorm(dim)
        self.decoder = nn.ModuleList([Crossed(dim, nn.LayerNorm) for _ in range(2)])
        self.decoder_norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocab)

    def forward(self, src, tgt):
        memory = self.emb(src)
        for block in self.encoder:
            memory = block(memory)
        memory = self.encoder_norm(memory)
        x = self.emb(tgt)
        for block in self.decoder:
            x = block(x, memory)
        return self.head(self.decoder_norm(x))


class Convnet(nn.Module):
    """No norm, no residual path."""

    def __init__(self, vocab=31, dim=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.layers = nn.ModuleList([nn.Linear(dim, dim) for _ in range(2)])
        self.head = nn.Linear(dim, vocab)

    def forward(self, idx):
        x = self.emb(idx)
        for layer in self.layers:
            x = F.relu(layer(x))
        return self.head(x)


def of(block, norm=nn.LayerNorm, closes=True):
    class Model(Decoder):
        def __init__(self):
            super().__init__(block, norm, closes=closes)

    return Model


Pre = of(PreBlock)
PreOpen = of(PreBlock, closes=False)
PreRms = of(PreBlock, RMS)
PreStd = of(PreBlock, StdNorm)
Post = of(PostBlock, closes=False)
PostRms = of(PostBlock, RMS, closes=False)
Both = of(BothBlock)
Peri = of(PeriBlock, RMS)
ResPost = of(ResPostBlock)
Bare = of(BareBlock, closes=False)
Skip = of(SkipBlock)
Parallel = of(ParallelBlock)
Neox = of(NeoxBlock)
Nested = of(NestedBlock)
Functional = of(FunctionalBlock)
ReZero = of(ReZeroBlock, closes=False)
LayerScale = of(LayerScaleBlock)
Checkpointed = of(CheckpointedBlock)
Moe = of(MoeBlock)
Mixed = of(MixedBlock)


class LooseDecoder(Decoder):
    """vit-pytorch's way: pairs of branches in a list, and the additions in the loop."""

    def __init__(self, dim=16, depth=3):
        super().__init__()
        self.blocks = nn.ModuleList([
            nn.ModuleList([nn.LayerNorm(dim), Attention(dim), nn.LayerNorm(dim), Mlp(dim)])
            for _ in range(depth)])

    def forward(self, idx):
        x = self.emb(idx)
        for n1, attn, n2, mlp in self.blocks:
            x = attn(n1(x)) + x
            x = mlp(n2(x)) + x
        return self.head(self.close(x))


class LoosePost(LooseDecoder):
    def forward(self, idx):
        x = self.emb(idx)
        for n1, attn, n2, mlp in self.blocks:
            x = n1(attn(x) + x)
            x = n2(mlp(x) + x)
        return self.head(x)


class UncalledDecoder(Decoder):
    """Blocks whose forward is called by name are no calls of a module."""

    def forward(self, idx):
        x = self.emb(idx)
        for block in self.blocks:
            x = block.forward(x)
        return self.head(self.close(x))


class Added(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x):
        return self.fn(x) + x


def convolved(dim, size, **options):
    return nn.Sequential(nn.Conv2d(dim, dim, size, **options), nn.GELU(), nn.BatchNorm2d(dim))


class Convolved(nn.Module):
    """ConvMixer: each block goes on after its residual part."""

    def __init__(self, dim=8):
        super().__init__()
        self.stem = nn.Conv2d(3, dim, 4, 4)
        mixed = [Added(convolved(dim, 3, padding=1, groups=dim)) for _ in range(3)]
        self.body = nn.Sequential(*[nn.Sequential(it, *convolved(dim, 1)) for it in mixed])

    def forward(self, x):
        return self.body(self.stem(x)).mean()


class Activated(nn.Module):
    """ResNet: an activation after each sum."""

    def __init__(self, dim=8):
        super().__init__()
        self.stem = nn.Conv2d(3, dim, 4, 4)
        inner = [[nn.Conv2d(dim, dim, 3, padding=1), nn.BatchNorm2d(dim)] for _ in range(3)]
        self.body = nn.Sequential(*[nn.Sequential(Added(nn.Sequential(*it)), nn.ReLU()) for it in inner])

    def forward(self, x):
        return self.body(self.stem(x)).mean()

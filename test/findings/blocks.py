"""Blocks with mistakes in their residual path, and the same without them (`right=True`)."""
import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 29


class Attention(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.heads, self.qkv, self.proj = heads, nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, self.heads, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj(y.transpose(1, 2).reshape(B, T, D))


class Feed(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.up, self.down = nn.Linear(dim, 3 * dim), nn.Linear(3 * dim, dim)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class Gated(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gate, self.up = nn.Linear(dim, 2 * dim), nn.Linear(dim, 2 * dim)
        self.down = nn.Linear(2 * dim, dim)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Block(nn.Module):
    feed = Feed

    def __init__(self, dim, right):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn, self.mlp, self.right = Attention(dim), self.feed(dim), right


class AttentionAlone(Block):
    def forward(self, x):
        h = self.attn(self.n1(x))
        x = x + h if self.right else h
        return x + self.mlp(self.n2(x))


class GatedAlone(Block):
    feed = Gated

    def forward(self, x):
        h = x + self.attn(self.n1(x))
        y = self.mlp(self.n2(h))
        return h + y if self.right else y


class PostFeedAlone(Block):
    """Post-LN whose second half adds nothing."""

    def forward(self, x):
        x = self.n1(x + self.attn(x))
        y = self.mlp(x)
        return self.n2(x + y if self.right else y)


class PostAttentionAlone(Block):
    def forward(self, x):
        y = self.attn(x)
        x = self.n1(x + y if self.right else y)
        return self.n2(x + self.mlp(x))


class PostBranchAsStream(Block):
    """The second sum takes what attention gave, and not the stream."""

    def forward(self, x):
        a = self.attn(x)
        h = self.n1(x + a)
        return self.n2((h if self.right else a) + self.mlp(h))


class PostOlder(Block):
    """The second sum takes the stream as the block got it."""

    def forward(self, x):
        h = self.n1(x + self.attn(x))
        return self.n2((h if self.right else x) + self.mlp(h))


class MixedSkip(Block):
    """The second norm is on the stream itself, the first is not."""

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        h = self.n2(x)
        return (x if self.right else h) + self.mlp(h)


class Gru(Block):
    """A gate between stream and branch is a residual path."""

    def __init__(self, dim, right):
        super().__init__(dim, right)
        self.z = nn.Linear(2 * dim, dim)

    def join(self, x, y):
        z = torch.sigmoid(self.z(torch.cat((x, y), -1)) - 2)
        return (1 - z) * x + z * y

    def forward(self, x):
        x = self.join(x, self.attn(self.n1(x)))
        return self.join(x, self.mlp(self.n2(x)))


class Model(nn.Module):
    def __init__(self, kind, right, dim=16):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocabulary, dim), nn.Embedding(12, dim)
        self.blocks = nn.ModuleList(kind(dim, right) for _ in range(3))
        self.close, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.close(x))


def of(kind):
    class Of(Model):
        def __init__(self, right=False):
            super().__init__(kind, right)

    return Of


OfAttention = of(AttentionAlone)
OfGated = of(GatedAlone)
OfPostFeed = of(PostFeedAlone)
OfPostAttention = of(PostAttentionAlone)
OfBranchAsStream = of(PostBranchAsStream)
OfPostOlder = of(PostOlder)
OfMixedSkip = of(MixedSkip)
OfGates = of(Gru)


class Pairs(nn.Module):
    """Layers as pairs in a list, as in vit-pytorch."""

    def __init__(self, right=False, dim=16, first=True):
        super().__init__()
        self.right, self.first = right, first
        self.patch, self.pos = nn.Linear(12, dim), nn.Parameter(torch.randn(1, 9, dim))
        self.layers = nn.ModuleList(
            nn.ModuleList([
                nn.Sequential(nn.LayerNorm(dim), Attention(dim)),
                nn.Sequential(nn.LayerNorm(dim), Feed(dim)),
            ])
            for _ in range(3)
        )
        self.close, self.head = nn.LayerNorm(dim), nn.Linear(dim, 5)

    def forward(self, x):
        x = self.patch(x) + self.pos
        for attn, mlp in self.layers:
            x = attn(x) + x if self.right or self.first else attn(x)
            x = mlp(x) + x if self.right or not self.first else mlp(x)
        return self.head(self.close(x).mean(1))


class PairsFeed(nn.Module):
    def __init__(self, right=False):
        super().__init__()
        self.net = Pairs(right)

    def forward(self, x):
        return self.net(x)


class PairsAttention(PairsFeed):
    def __init__(self, right=False):
        super().__init__()
        self.net = Pairs(right, first=False)



class Reader(nn.Module):
    """A decoder's layer, Post-LN, whose attention to the memory adds nothing."""

    def __init__(self, dim, right):
        super().__init__()
        self.right, self.mlp = right, Feed(dim)
        self.attn, self.read = (nn.MultiheadAttention(dim, 2, batch_first=True) for _ in range(2))
        self.n1, self.n2, self.n3 = nn.LayerNorm(dim), nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(self, x, memory):
        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        x = self.n1(x + self.attn(x, x, x, attn_mask=mask)[0])
        y, _ = self.read(x, memory, memory)
        x = self.n2(x + y if self.right else y)
        return self.n3(x + self.mlp(x))


class OfReaders(nn.Module):
    def __init__(self, right=False, dim=16):
        super().__init__()
        self.tok, self.source = nn.Embedding(vocabulary, dim), nn.Linear(7, dim)
        self.layers = nn.ModuleList(Reader(dim, right) for _ in range(2))
        self.head = nn.Linear(dim, vocabulary)

    def forward(self, idx):
        x, memory = self.tok(idx), self.source(torch.ones(len(idx), 9, 7))
        for layer in self.layers:
            x = layer(x, memory)
        return self.head(x)


class MemoryFirst(Reader):
    """The stream is the second argument."""

    def forward(self, memory, x):
        return super().forward(x, memory)


class OfMemoryFirst(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.tok, self.source = nn.Embedding(vocabulary, dim), nn.Embedding(vocabulary, dim)
        self.layers = nn.ModuleList(MemoryFirst(dim, True) for _ in range(2))
        self.head = nn.Linear(dim, vocabulary)

    def forward(self, idx):
        x, memory = self.tok(idx), self.source(idx.flip(1))
        for layer in self.layers:
            x = layer(memory, x)
        return self.head(x)


class Alone(AttentionAlone):
    """A block that is run by itself."""

    def __init__(self, right=False):
        super().__init__(16, right)

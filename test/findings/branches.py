"""Blocks that weigh their stream or their branches wrongly, and the same without the mistake (`right=True`)."""
import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 31


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, 2, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj(y.transpose(1, 2).reshape(B, T, D))


class Block(nn.Module):
    def __init__(self, dim, right):
        super().__init__()
        self.n1, self.n2, self.attn = nn.LayerNorm(dim), nn.LayerNorm(dim), Attention(dim)
        self.up, self.down, self.right = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim), right

    def mlp(self, x):
        return self.down(F.gelu(self.up(x)))

    def forward(self, x):
        return self.right_one(x) if self.right else self.wrong(x)

    def right_one(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.mlp(self.n2(x))


class Halved(Block):
    def wrong(self, x):
        x = 0.5 * x + self.attn(self.n1(x))
        return x + self.mlp(self.n2(x))

    def right_one(self, x):
        x = (x + self.attn(self.n1(x))) / 2
        return (x + self.mlp(self.n2(x))) * 0.5


class Weighed(Block):
    scale = 0.5

    def wrong(self, x):
        h = self.attn(self.n1(x))
        x = x + h
        residual = x * self.scale
        return self.mlp(self.n2(x)) + residual

    def right_one(self, x):
        x = 0.8 * x + 0.6 * self.attn(self.n1(x))
        return 0.6 * x + 0.8 * self.mlp(self.n2(x))


class TimesZero(Block):
    scale = 0.0

    def __init__(self, dim, right):
        super().__init__(dim, right)
        self.n0 = nn.LayerNorm(dim) if right else None

    def wrong(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.scale * self.mlp(self.n2(x))

    def right_one(self, x):
        x = x + 0.5 * self.mlp(self.n0(x))
        x = x + self.attn(self.n1(x))
        return x + 0.5 * self.mlp(self.n2(x))


class ZeroStream(Block):
    def wrong(self, x):
        skip = x.mul(0)
        x = skip + self.attn(self.n1(x))
        return x + self.mlp(self.n2(x))


class Twice(Block):
    def wrong(self, x):
        a = self.attn(self.n1(x))
        x = x + a
        m = self.mlp(self.n2(x))
        return x + a


class TwiceInOne(Block):
    def wrong(self, x):
        a = self.attn(self.n1(x))
        return x + a + self.mlp(self.n2(x)) + a

    def right_one(self, x):
        a = self.attn(self.n1(x))
        return x + a + self.mlp(self.n2(x + a))


class Model(nn.Module):
    block = Block

    def __init__(self, right=False, dim=16, depth=2):
        super().__init__()
        self.emb = nn.Embedding(vocabulary, dim)
        self.blocks = nn.ModuleList(self.block(dim, right) for _ in range(depth))
        self.close, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def forward(self, idx, targets=None):
        x = self.emb(idx)
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.close(x))
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), idx[:, 1:].flatten())


class HalvedStream(Model):
    block = Halved


class WeighedStream(Model):
    block = Weighed


class ZeroBranch(Model):
    block = TimesZero


class LostStream(Model):
    block = ZeroStream


class BranchTwice(Model):
    block = Twice


class BranchTwiceInOne(Model):
    block = TwiceInOne

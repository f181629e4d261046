"""Mistakes in how parameters are made and tied, and the same without them (`right=True`)."""
import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 31


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, 2, -1).transpose(1, 2) for t in self.qkv(self.n1(x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(B, T, D))
        return x + self.down(F.gelu(self.up(self.n2(x))))


class Model(nn.Module):
    def __init__(self, right=False, dim=16, length=64):
        super().__init__()
        self.right = right
        self.tok = nn.Embedding(vocabulary, dim)
        nn.init.normal_(self.tok.weight, std=0.02)
        self.pos = nn.Parameter(torch.zeros(length, dim))
        self.blocks = nn.ModuleList(Block(dim) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary, bias=False)
        self.make(dim, length)

    def make(self, dim, length):
        pass

    def forward(self, idx):
        x = self.tok(idx) + self.pos[: idx.shape[1]]
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), idx[:, 1:].flatten())


class EmptyPlaces(Model):
    def make(self, dim, length):
        self.pos = nn.Parameter(torch.empty(length, dim))
        if self.right:
            nn.init.normal_(self.pos, std=0.02)


class Scale(nn.Module):
    def __init__(self, dim, right):
        super().__init__()
        self.gain = nn.Parameter(torch.Tensor(dim))
        if right:
            self.reset_parameters()

    def reset_parameters(self):
        self.gain.data.fill_(1.0)

    def forward(self, x):
        return x * self.gain


class EmptyGains(Model):
    """`reset_parameters` is there, and nobody calls it."""

    def make(self, dim, length):
        self.norm = nn.Sequential(nn.LayerNorm(dim), Scale(dim, self.right))


class EmptyForLoading(Model):
    """All of it is made for a checkpoint."""

    def make(self, dim, length):
        for module in self.modules():
            for name, parameter in list(module.named_parameters(recurse=False)):
                setattr(module, name, nn.Parameter(torch.empty_like(parameter)))


class Untied(Model):
    def make(self, dim, length):
        self.head.weight = self.tok.weight
        if not self.right:
            self.tok = nn.Embedding(vocabulary, dim)


class Tokens(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.table = nn.Embedding(vocabulary, dim)

    def forward(self, idx):
        return self.table(idx)


class UntiedWithin(Model):
    """The whole embedding is made anew, or the head's weight."""

    def make(self, dim, length):
        self.tok = Tokens(dim)
        if self.right:
            self.tok = Tokens(dim)
        self.tok.table.weight = self.head.weight
        if not self.right:
            self.tok = Tokens(dim)


class UntiedWeight(Model):
    def make(self, dim, length):
        self.head.weight = self.tok.weight
        if not self.right:
            self.head.weight = nn.Parameter(torch.randn(vocabulary, dim) * 0.02)


class OtherHead(Model):
    """What is put in the place of a tied head has other classes: nothing is meant to stay tied."""

    def make(self, dim, length):
        self.head.weight = self.tok.weight
        self.head = nn.Linear(dim, vocabulary + 1)

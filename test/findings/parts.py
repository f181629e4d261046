"""Mistakes in a block, a loss or an initialisation, and the same without them (`right=True`)."""
import math

import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 31


class Attention(nn.Module):
    def __init__(self, dim, dropped=0.0):
        super().__init__()
        self.qkv, self.proj, self.dropped = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim), dropped

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, 2, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=self.dropped)
        return self.proj(y.transpose(1, 2).reshape(B, T, D))


class Block(nn.Module):
    def __init__(self, dim, act, attention):
        super().__init__()
        self.n1, self.n2, self.attn, self.act = nn.LayerNorm(dim), nn.LayerNorm(dim), attention, act
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        h = self.up(self.n2(x))
        return x + self.down(self.act(h))


class Lost(Block):
    """Makes the sum and goes on without it."""

    def forward(self, x):
        y = x + self.attn(self.n1(x))
        return x + self.down(self.act(self.up(self.n2(x))))


class Replaced(Block):
    """Adds attention and puts the rest in its place."""

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return self.down(self.act(self.up(self.n2(x))))


def next_token(logits, idx):
    return F.cross_entropy(logits[:, :-1].reshape(-1, vocabulary), idx[:, 1:].reshape(-1))


class Model(nn.Module):
    def __init__(self, act=F.gelu, loss=next_token, table=None, dropped=0.0, dim=16, length=64):
        super().__init__()
        self.emb, self.close = nn.Embedding(vocabulary, dim), nn.LayerNorm(dim)
        self.register_buffer("table", (table or sinusoids)(length, dim))
        self.blocks = nn.ModuleList(Block(dim, act, Attention(dim, dropped)) for _ in range(2))
        self.head, self.loss = nn.Linear(dim, vocabulary), loss

    def forward(self, idx):
        x = self.emb(idx) + self.table[:idx.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.loss(self.head(self.close(x)), idx)


def angles(length, dim):
    rates = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
    return torch.arange(length).unsqueeze(1) * rates


def sinusoids(length, dim):
    table = torch.zeros(length, dim)
    table[:, 0::2] = torch.sin(angles(length, dim))
    table[:, 1::2] = torch.cos(angles(length, dim))
    return table


def same_columns(length, dim):
    table = torch.zeros(length, dim)
    table[:, 0::2] = torch.sin(angles(length, dim))
    table[:, 0::2] = torch.cos(angles(length, dim))
    return table


def same_rows(length, dim):
    return sinusoids(length, dim)[3].expand(length, dim).clone()


def of_relu(logits, idx):
    return next_token(F.relu(logits), idx)


def of_logits(logits, idx):
    return F.nll_loss(logits[:, :-1].reshape(-1, vocabulary), idx[:, 1:].reshape(-1))


def over_positions(logits, idx):
    logs = F.log_softmax(logits, dim=1)[:, :-1]
    return F.nll_loss(logs.reshape(-1, vocabulary), idx[:, 1:].reshape(-1))


def of_sigmoid(logits, idx):
    sure = torch.sigmoid(logits)
    return F.binary_cross_entropy_with_logits(sure, F.one_hot(idx, vocabulary).float())


def summed(logits, idx):
    logits = logits[:, :-1].reshape(-1, vocabulary)
    return F.cross_entropy(logits, idx[:, 1:].reshape(-1), reduction="sum")


def nothing(x):
    return x


def loud_tanh(x):
    return torch.tanh(100 * x)


def always_dropped(x):
    return F.dropout(F.gelu(x), 0.1)


def faulty(right=None, **fault):
    meant = right or {}

    class Faulty(Model):
        def __init__(self, right=False):
            super().__init__(**(meant if right else fault))

    return Faulty


NoActivation = faulty(act=nothing)
LoudTanh = faulty(act=loud_tanh, right={"act": torch.tanh})
AlwaysDropped = faulty(act=always_dropped)
AttentionDropped = faulty(dropped=0.1)
SameColumns = faulty(table=same_columns)
SameRows = faulty(table=same_rows)
ReluLogits = faulty(loss=of_relu, right={"loss": summed})
OfLogits = faulty(loss=of_logits)
OverPositions = faulty(loss=over_positions)
OfSigmoid = faulty(loss=of_sigmoid)


class Constant(Model):
    def __init__(self, right=False):
        super().__init__()
        for block in self.blocks:
            nn.init.constant_(block.down.weight, 0.0 if right else 0.02)


class Zeros(Model):
    def __init__(self, right=False):
        super().__init__()
        if not right:
            for p in self.parameters():
                nn.init.zeros_(p)


def of_blocks(kind):
    class OfBlocks(Model):
        def __init__(self, right=False):
            super().__init__()
            if not right:
                self.blocks = nn.ModuleList(kind(16, F.gelu, Attention(16)) for _ in range(2))

    return OfBlocks


LostSum = of_blocks(Lost)
ReplacedStream = of_blocks(Replaced)


class SharedLayers(Model):
    def __init__(self, right=False):
        super().__init__()
        if not right:
            self.blocks = nn.ModuleList([Block(16, F.gelu, Attention(16))] * 3)


class BatchMean(nn.Module):
    """The mean over samples in place of positions."""

    def __init__(self, right=False, dim=16):
        super().__init__()
        self.emb, self.right = nn.Embedding(vocabulary, dim), right
        self.layer = nn.TransformerEncoderLayer(dim, 2, 32, batch_first=True)
        self.head = nn.Linear(dim, 5)

    def forward(self, idx):
        x = self.layer(self.emb(idx))
        return self.head(x.mean(1) if self.right else x.mean(0))


class HalfNear(nn.Module):
    def __init__(self, right=False):
        super().__init__()
        self.fc, self.factor = nn.Linear(8, 8), 1.0 if right else 100.0

    def forward(self, x):
        return self.fc((x * 0 + 400).half().mul(self.factor).float())


class Branch(nn.Module):
    """A residual branch whose size and gradient are chosen."""

    def __init__(self, dim, factor, normed):
        super().__init__()
        self.norm = nn.LayerNorm(dim) if normed else nn.Identity()
        self.fc, self.factor = nn.Linear(dim, dim), factor

    def forward(self, x):
        return x + self.factor * torch.tanh(self.fc(self.norm(x)))


class Stack(nn.Module):
    def __init__(self, factors, normed=True, dim=16):
        super().__init__()
        self.emb, self.close = nn.Embedding(vocabulary, dim), nn.LayerNorm(dim)
        self.blocks = nn.ModuleList(Branch(dim, factor, normed) for factor in factors)
        self.head = nn.Linear(dim, vocabulary)

    def forward(self, idx):
        x = self.emb(idx)
        for block in self.blocks:
            x = block(x)
        return self.head(self.close(x))


class Growing(Stack):
    def __init__(self, right=False):
        super().__init__([1.0 if right else 1.6 ** depth for depth in range(12)])


class DeadBranches(Stack):
    def __init__(self, right=False):
        super().__init__([1.0 if right or depth < 8 else 1e-4 for depth in range(12)])


class Exploding(nn.Module):
    """Residual branches without a norm, whose maps are large."""

    def __init__(self, right=False, dim=16):
        super().__init__()

        class Wide(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(dim, dim)
                nn.init.normal_(self.fc.weight, std=0.02 if right else 0.5)

            def forward(self, x):
                return x + self.fc(x)

        self.emb, self.close = nn.Embedding(vocabulary, dim), nn.LayerNorm(dim)
        self.blocks = nn.ModuleList(Wide() for _ in range(8))
        self.head = nn.Linear(dim, vocabulary)

    def forward(self, idx):
        x = self.emb(idx)
        for block in self.blocks:
            x = block(x)
        return self.head(self.close(x))

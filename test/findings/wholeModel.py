"""Models whose mistake shows in the whole of them, and the same without it (`right=True`)."""
import math

import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 31


class Attention(nn.Module):
    """`hide` gets the scores, and returns them as softmax is to have them."""

    def __init__(self, dim, hide, transposed=True):
        super().__init__()
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.hide, self.transposed = hide, transposed

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.view(B, T, 2, -1) for t in self.qkv(x).chunk(3, dim=-1))
        if self.transposed:
            q, k, v = (t.transpose(1, 2) for t in (q, k, v))
        scores = self.hide(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]))
        y = torch.softmax(scores, dim=-1) @ v
        y = y.transpose(1, 2) if self.transposed else y
        return self.proj(y.reshape(B, T, D))


def future_of(scores):
    size = scores.shape[-1]
    return torch.ones(size, size).triu(1).bool()


def causal(scores):
    return scores.masked_fill(future_of(scores), float("-inf"))


def open_to_all(scores):
    return scores


def thrown_away(scores):
    scores.masked_fill(future_of(scores), float("-inf"))
    return scores


def added(scores):
    return scores + (~future_of(scores)).float()


def multiplied(scores):
    return scores * (~future_of(scores)).float()


def set_to_zero(scores):
    return scores.masked_fill(future_of(scores), 0.0)


def past_hidden(scores):
    return scores.masked_fill(~future_of(scores), -1e9)


class Model(nn.Module):
    """Gives its own loss: that of the next token unless `loss` says otherwise."""

    def __init__(self, hide=causal, transposed=True, loss=None, dim=16):
        super().__init__()
        self.emb, self.norm = nn.Embedding(vocabulary, dim), nn.LayerNorm(dim)
        self.attn = Attention(dim, hide, transposed)
        self.close, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)
        self.loss = loss or next_token

    def forward(self, idx):
        x = self.emb(idx)
        x = x + self.attn(self.norm(x))
        return self.loss(self.head(self.close(x)), idx)


def next_token(logits, idx):
    return F.cross_entropy(logits[:, :-1].reshape(-1, vocabulary), idx[:, 1:].reshape(-1))


def shifted_twice(logits, idx):
    labels = idx[:, 1:]
    return F.cross_entropy(logits[:, :-2].reshape(-1, vocabulary), labels[:, 1:].reshape(-1))


def previous_token(logits, idx):
    return F.cross_entropy(logits[:, 1:].reshape(-1, vocabulary), idx[:, :-1].reshape(-1))


def other_order(logits, idx):
    return F.cross_entropy(logits[:, :-1].reshape(-1, vocabulary), idx[:, 1:].t().reshape(-1))


def partly_shifted(logits, idx):
    return F.cross_entropy(logits[:, 1:].reshape(-1, vocabulary), idx[:, 1:].reshape(-1))


def classes_reshaped(logits, idx):
    return F.cross_entropy(logits[:, :-1].reshape(idx.shape[0], vocabulary, -1), idx[:, 1:])


def log_twice(logits, idx):
    return next_token(F.log_softmax(logits, dim=-1), idx)


def faulty(**fault):
    class Faulty(Model):
        def __init__(self, right=False):
            super().__init__(**({} if right else fault))

    return Faulty


NoMask = faulty(hide=open_to_all)
MaskThrownAway = faulty(hide=thrown_away)
MaskAdded = faulty(hide=added)
MaskMultiplied = faulty(hide=multiplied)
MaskZero = faulty(hide=set_to_zero)
MaskPast = faulty(hide=past_hidden)
OverHeads = faulty(transposed=False)
ShiftedTwice = faulty(loss=shifted_twice)
PreviousToken = faulty(loss=previous_token)
OtherOrder = faulty(loss=other_order)
PartlyShifted = faulty(loss=partly_shifted)
ClassesReshaped = faulty(loss=classes_reshaped)
LogTwice = faulty(loss=log_twice)


class Stack(nn.Module):
    """Causal layers without a loss of their own: the first lacks its mask."""

    def __init__(self, right=False, hides=(open_to_all, causal), dim=16):
        super().__init__()
        self.emb, self.right = nn.Embedding(vocabulary, dim), right
        self.layers = nn.ModuleList(Attention(dim, causal if right else hide) for hide in hides)
        self.close, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def forward(self, idx):
        x = self.emb(idx)
        for attn in self.layers:
            x = x + attn(self.rms(x))
        return self.head(self.close(x))

    def rms(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


OpenLayer = Stack


class OverPositions(Stack):
    def __init__(self, right=False):
        super().__init__(right, (causal, causal))

    def rms(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1 if self.right else 1, keepdim=True) + 1e-6)


class Stock(nn.Module):
    """nn.MultiheadAttention on [batch, positions, width], without a table of positions."""

    def __init__(self, right=False, pooled=False, dim=16):
        super().__init__()
        self.emb, self.norm, self.pooled = nn.Embedding(vocabulary, dim), nn.LayerNorm(dim), pooled
        self.attn = nn.MultiheadAttention(dim, 2, batch_first=right)
        self.close, self.head = nn.LayerNorm(dim), nn.Linear(dim, 5)

    def forward(self, idx):
        x = self.emb(idx)
        y = self.norm(x)
        y, _ = self.attn(y, y, y)
        x = self.close(x + y)
        return self.head(x.mean(1) if self.pooled else x)


class StockPooled(Stock):
    def __init__(self, right=False):
        super().__init__(right, pooled=True)


class StockPatches(nn.Module):
    """The same behind a convolution that makes patches."""

    def __init__(self, right=False, dim=16):
        super().__init__()
        self.stem = nn.Conv2d(3, dim, 8, 8)
        self.layer = nn.TransformerEncoderLayer(dim, 2, 32, batch_first=right)
        self.head = nn.Linear(dim, 5)

    def forward(self, image):
        x = self.stem(image).flatten(2).transpose(1, 2)
        return self.head(self.layer(x).mean(1))

"""Norms written by hand, with a mistake in their arithmetic and without it (`right=True`)."""
import math

import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 31


class Norm(nn.Module):
    def __init__(self, dim, right, eps=1e-6):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim))
        self.right, self.eps = right, eps

    def forward(self, x):
        return self.right_one(x) if self.right else self.wrong(x)

    def right_one(self, x):
        return self.gain * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)


class NoRoot(Norm):
    def wrong(self, x):
        square = x.pow(2).mean(-1, keepdim=True)
        return self.gain * x / (square + self.eps)


class Centred(Norm):
    def __init__(self, dim, right):
        super().__init__(dim, right)
        self.bias = nn.Parameter(torch.zeros(dim))

    def right_one(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        spread = torch.var(x, dim=-1, unbiased=False, keepdim=True)
        return (x - mean) / torch.sqrt(spread + self.eps) * self.gain + self.bias


class VarianceNoRoot(Centred):
    def wrong(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        spread = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
        return (x - mean) / (spread + self.eps) * self.gain + self.bias


class TorchVariance(Centred):
    def wrong(self, x):
        spread, mean = torch.var_mean(x, dim=-1, keepdim=True)
        h = (x - mean) / (spread + self.eps)
        return self.gain * h + self.bias


class RootForReciprocal(Norm):
    def wrong(self, x):
        return self.gain * (x * (x * x).mean(-1, keepdim=True).add(self.eps).sqrt())


class Reciprocal(Norm):
    def wrong(self, x):
        h = x.float()
        h = h * torch.reciprocal(h.square().mean(-1, keepdim=True) + self.eps)
        return h.type_as(x) * self.gain


class RootTwice(Centred):
    def wrong(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return centred / x.std(-1, keepdim=True).pow(2).add(self.eps) * self.gain + self.bias


class Signs(Norm):
    def wrong(self, x):
        return self.gain * x * torch.rsqrt(x.pow(2) + self.eps)


class SignsInSteps(Norm):
    def wrong(self, x):
        rms = torch.sqrt(x * x)
        return x / (rms + self.eps) * self.gain

    def right_one(self, x):
        rms = torch.sqrt((x * x).mean(-1, keepdim=True))
        return x / (rms + self.eps) * self.gain


class MeanStays(Centred):
    def wrong(self, x):
        spread = x.var(-1, keepdim=True, unbiased=False)
        return x * torch.rsqrt(spread + self.eps) * self.gain + self.bias

    def right_one(self, x):
        mean = x.mean(-1, keepdim=True)
        spread = (x * x).mean(-1, keepdim=True) - mean * mean
        return (x - mean) * (spread + self.eps) ** -0.5 * self.gain + self.bias


class MeanStaysInSquares(Centred):
    def wrong(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return centred / x.pow(2).mean(-1, keepdim=True).add(self.eps).sqrt() * self.gain + self.bias


class AlongPositions(Centred):
    def wrong(self, x):
        mean, spread = x.mean(1, keepdim=True), x.var(1, keepdim=True, unbiased=False)
        return self.gain * ((x - mean) / (spread + self.eps).sqrt()) + self.bias


class RmsAlongPositions(Norm):
    def wrong(self, x):
        return x / torch.linalg.norm(x, dim=-2, keepdim=True) * x.shape[-2] ** 0.5 * self.gain

    def right_one(self, x):
        return x / torch.linalg.norm(x, dim=-1, keepdim=True) * x.shape[-1] ** 0.5 * self.gain


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
    def __init__(self, dim, norm, right):
        super().__init__()
        self.n1, self.n2, self.attn = norm(dim, right), norm(dim, right), Attention(dim)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.down(F.gelu(self.up(self.n2(x))))


class Model(nn.Module):
    norm = Norm

    def __init__(self, right=False, dim=16, depth=2):
        super().__init__()
        self.emb = nn.Embedding(vocabulary, dim)
        self.blocks = nn.ModuleList(Block(dim, self.norm, right) for _ in range(depth))
        self.close, self.head = self.norm(dim, right), nn.Linear(dim, vocabulary)

    def forward(self, idx, targets=None):
        x = self.emb(idx)
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.close(x))
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), idx[:, 1:].flatten())


class DividedBySquare(Model):
    norm = NoRoot


class DividedByVariance(Model):
    norm = VarianceNoRoot


class DividedByTorchVariance(Model):
    norm = TorchVariance


class TimesRoot(Model):
    norm = RootForReciprocal


class TimesReciprocal(Model):
    norm = Reciprocal


class DividedBySquaredSpread(Model):
    norm = RootTwice


class OnlySigns(Model):
    norm = Signs


class OnlySignsInSteps(Model):
    norm = SignsInSteps


class NoMean(Model):
    norm = MeanStays


class NoMeanInSquares(Model):
    norm = MeanStaysInSquares


class OverPositions(Model):
    norm = AlongPositions


class RmsOverPositions(Model):
    norm = RmsAlongPositions

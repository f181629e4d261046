"""One mistake a class, written as people write it, each with an edit that mends it."""
import math

import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 31


class Model(nn.Module):
    """A causal decoder of one block and its next-token loss; classes below replace a part."""

    def __init__(self, dim=16, heads=2):
        super().__init__()
        self.dim, self.heads, self.dropped = dim, heads, 0.1
        self.scale = dim ** -0.5
        self.emb, self.close = nn.Embedding(vocabulary, dim), nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)
        self.head = nn.Linear(dim, vocabulary)

    def split(self, x):
        B, T, D = x.shape
        return (t.view(B, T, self.heads, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))

    def hidden(self, scores):
        return torch.ones(scores.shape[-2:]).triu(1).bool()

    def merge(self, y):
        return self.proj(y.transpose(1, 2).flatten(2))

    def mix(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)

    def attn(self, x):
        q, k, v = self.split(x)
        return self.merge(self.mix(q, k, v))

    def ffn(self, x):
        return self.down(F.gelu(self.up(x)))

    def block(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.ffn(self.norm2(x))

    def loss(self, logits, idx):
        return F.cross_entropy(logits[:, :-1].reshape(-1, vocabulary), idx[:, 1:].reshape(-1))

    def forward(self, idx):
        return self.loss(self.head(self.close(self.block(self.emb(idx)))), idx)


class SoftmaxAxis(Model):
    def mix(self, q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(self.hidden(scores), float("-inf"))
        weights = F.softmax(scores, dim=2)
        return weights @ v


class SoftmaxMethod(Model):
    def mix(self, q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(self.hidden(scores), float("-inf"))
        return scores.softmax(2) @ v


class ModelWidth(Model):
    def mix(self, q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.dim)
        scores = scores.masked_fill(self.hidden(scores), float("-inf"))
        return scores.softmax(-1) @ v


class ScaleOfModel(Model):
    def mix(self, q, k, v):
        scores = torch.matmul(q, k.transpose(-2, -1)) * self.scale
        scores = scores.masked_fill(self.hidden(scores), float("-inf"))
        return scores.softmax(-1) @ v


class Product(Model):
    def mix(self, q, k, v):
        scores = q @ k.transpose(-2, -1) * math.sqrt(q.shape[-1])
        scores = scores.masked_fill(self.hidden(scores), float("-inf"))
        return scores.softmax(-1) @ v


class Unscaled(Model):
    def __init__(self):
        super().__init__(dim=128)
        nn.init.xavier_uniform_(self.qkv.weight, gain=3.0)

    def mix(self, q, k, v):
        scores = q @ k.transpose(-2, -1)
        scores = scores.masked_fill(self.hidden(scores), float("-inf"))
        return scores.softmax(-1) @ v


class ScaledTwice(Model):
    def mix(self, q, k, v):
        q = q * q.shape[-1] ** -0.5
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)


class OwnScale(Model):
    def mix(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=self.scale)


class OffByOne(Model):
    def mix(self, q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        future = torch.ones(scores.shape[-2:]).triu(diagonal=2).bool()
        return scores.masked_fill(future, float("-inf")).softmax(-1) @ v


class MaskOfOthers(Model):
    def mix(self, q, k, v):
        future = torch.ones(q.shape[-2], k.shape[-2]).triu(1).bool()
        return F.scaled_dot_product_attention(q, k, v, attn_mask=future)


class MaskTurned(Model):
    def mix(self, q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~self.hidden(scores), -1e9)
        return scores.softmax(-1) @ v


class MaskZero(Model):
    def mix(self, q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(self.hidden(scores), 0.0)
        return scores.softmax(-1) @ v


class MaskAfter(Model):
    def mix(self, q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = scores.softmax(dim=-1).masked_fill(self.hidden(scores), 0)
        return weights @ v


class NoSoftmax(Model):
    def mix(self, q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(self.hidden(scores), float("-inf"))
        weights = torch.sigmoid(scores)
        return weights @ v


class TwiceSoftmax(Model):
    def mix(self, q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = scores.masked_fill(self.hidden(scores), float("-inf")).softmax(dim=-1)
        return F.softmax(weights, dim=-1) @ v


class NoMask(Model):
    def mix(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v)


class MaskLost(Model):
    def mix(self, q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores.masked_fill(self.hidden(scores), float("-inf"))
        return scores.softmax(-1) @ v


class ViewedHeads(Model):
    def attn(self, x):
        B, T, D = x.shape
        q, k, v = (t.reshape(B, self.heads, T, -1) for t in self.qkv(x).chunk(3, dim=-1))
        return self.merge(self.mix(q, k, v))


class JoinedHeads(Model):
    def merge(self, y):
        B, H, T, D = y.shape
        return self.proj(y.reshape(B, T, H * D))


class Dropped(Model):
    def ffn(self, x):
        return F.dropout(self.down(F.gelu(self.up(x))), 0.1)


class AttentionDropped(Model):
    def mix(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=self.dropped)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = parts = Model()
        self.norm1, self.norm2, self.attn, self.ffn = parts.norm1, parts.norm2, parts.attn, parts.ffn


class SkipNormedBlock(Block):
    def forward(self, x):
        x = self.norm1(x)
        x = x + self.attn(x)
        x = self.norm2(x)
        return x + self.ffn(x)


class LostSumBlock(Block):
    def forward(self, x):
        y = x + self.attn(self.norm1(x))
        return x + self.ffn(self.norm2(x))


class Stack(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.emb, self.head = nn.Embedding(vocabulary, 16), nn.Linear(16, vocabulary)
        self.blocks = nn.ModuleList(kind() for _ in range(3))

    def forward(self, idx):
        x = self.emb(idx)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


class SkipNormed(Stack):
    def __init__(self):
        super().__init__(SkipNormedBlock)


class LostSum(Stack):
    def __init__(self):
        super().__init__(LostSumBlock)


class PreLNBlock(Block):
    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.ffn(self.norm2(x))


class NoFinalNorm(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.emb, self.blocks = nn.Embedding(vocabulary, dim), nn.ModuleList(PreLNBlock() for _ in range(3))
        self.out = nn.Linear(dim, vocabulary)

    def forward(self, idx):
        x = self.emb(idx)
        for block in self.blocks:
            x = block(x)
        return self.out(x)


class NameMissed(Model):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(16, 16) for _ in range(2))
        for name, p in self.named_parameters():
            if name == "0.weight":
                nn.init.normal_(p, mean=0.0, std=0.02)

    def ffn(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class Unregistered(Model):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(16, 16) for _ in range(2)]  # by mistake

    def ffn(self, x):
        for layer in self.layers:
            x = x + torch.tanh(layer(x))
        return x


class SharedLayers(Model):
    def __init__(self, depth=3):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(16, 16)] * depth)

    def ffn(self, x):
        for layer in self.layers:
            x = x + torch.tanh(layer(x))
        return x


class Unshifted(Model):
    def loss(self, logits, idx):
        return F.cross_entropy(logits.view(-1, vocabulary), idx.view(-1))


class MaskedMean(Model):
    def loss(self, logits, idx):
        keep = (torch.arange(idx.shape[1] - 1) > 3).float().repeat(len(idx))
        logits, targets = logits[:, :-1].reshape(-1, vocabulary), idx[:, 1:].reshape(-1)
        losses = F.cross_entropy(logits, targets, reduction="none")
        return (losses * keep).mean()


class Capped(Model):
    def mix(self, q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = torch.tanh(scores / 30.0)
        return scores.masked_fill(self.hidden(scores), float("-inf")).softmax(-1) @ v


class Divergence(Model):
    def loss(self, logits, idx):
        wanted = F.one_hot(idx[:, 1:], vocabulary).float()
        given = logits[:, :-1]
        return F.kl_div(given, wanted, reduction="batchmean")


class Column(Model):
    def __init__(self, dim=16):
        super().__init__(dim)
        self.head = nn.Linear(dim, 1)

    def loss(self, found, idx):
        length, last = idx.sum(-1) / 1000.0, found[:, -1]
        return F.mse_loss(last, length)


class OverPositions(Model):
    def loss(self, logits, idx):
        logs = F.log_softmax(logits, dim=1)[:, :-1]
        return F.nll_loss(logs.reshape(-1, vocabulary), idx[:, 1:].reshape(-1))


class NoLogarithm(Model):
    def loss(self, logits, idx):
        return F.nll_loss(logits[:, :-1].reshape(-1, vocabulary), idx[:, 1:].reshape(-1))


class RootNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.gain, self.eps = nn.Parameter(torch.ones(dim)), eps

    def forward(self, x):
        root = x.pow(2).mean(dim=-1, keepdim=True).sqrt()
        return self.gain * x / (root + self.eps)


class RootNormOfOneLine(RootNorm):
    def forward(self, x):
        return self.gain * x / (torch.sqrt(x.pow(2).mean(-1, keepdim=True)) + self.eps)


class EpsOutside(nn.Module):
    def __init__(self, kind=RootNorm, dim=16):
        super().__init__()
        self.emb, self.norm = nn.Embedding(vocabulary, dim), kind(dim)
        self.head = nn.Linear(dim, vocabulary)

    def forward(self, idx):
        padding = torch.arange(idx.shape[1]) < 4
        return self.head(self.norm(self.emb(idx) * ~padding[:, None]))


class EpsOnOneLine(EpsOutside):
    def __init__(self):
        super().__init__(RootNormOfOneLine)


class BatchMean(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.emb = nn.Embedding(vocabulary, dim)
        self.layer = nn.TransformerEncoderLayer(dim, 2, 32, batch_first=True)
        self.head = nn.Linear(dim, 5)

    def forward(self, idx):
        x = self.layer(self.emb(idx))
        return self.head(x.mean(dim=0))

"""Caches of keys and values, with a mistake each and without it (`right=True`)."""
import math

import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 31


class Attention(nn.Module):
    """Keys and values as a tuple that is given in and given back."""

    def __init__(self, dim, heads, join):
        super().__init__()
        self.heads, self.join = heads, join
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x, past=None):
        B, T, D = x.shape
        q, k, v = (z.view(B, T, self.heads, -1).transpose(1, 2) for z in self.qkv(x).split(D, dim=2))
        k, v, present = self.join(k, v, past)
        S = k.shape[2]
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        keep = torch.ones(T, S, dtype=torch.bool).tril(S - T)
        y = scores.masked_fill(~keep, float("-inf")).softmax(-1) @ v
        return self.proj(y.transpose(1, 2).reshape(B, T, D)), present


class Block(nn.Module):
    def __init__(self, dim, heads, join):
        super().__init__()
        self.n1, self.n2, self.attn = nn.LayerNorm(dim), nn.LayerNorm(dim), Attention(dim, heads, join)
        self.ffn = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x, past=None):
        y, present = self.attn(self.n1(x), past)
        x = x + y
        return x + self.ffn(self.n2(x)), present


class Pieces(nn.Module):
    """Two thirds of the tokens, and the rest in pieces of two behind them."""

    def __init__(self, right=False, dim=16, heads=2):
        super().__init__()
        self.right = right
        self.tok, self.pos = nn.Embedding(vocabulary, dim), nn.Embedding(64, dim)
        self.blocks = nn.ModuleList(Block(dim, heads, self.join) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def embed(self, idx, places):
        return self.tok(idx) + self.pos(places)

    def join(self, k, v, past):
        if past is not None:
            k, v = torch.cat((past[0], k), dim=2), torch.cat((past[1], v), dim=2)
        return k, v, (k, v)

    def start(self, pasts):
        return pasts[0][0].shape[2] if pasts[0] is not None else 0

    def past(self, pasts, layer):
        return pasts[layer]

    def piece(self, idx, pasts):
        start, T = self.start(pasts), idx.shape[1]
        x = self.embed(idx, torch.arange(start, start + T))
        presents = []
        for layer, block in enumerate(self.blocks):
            x, present = block(x, self.past(pasts, layer))
            presents.append(present)
        return self.head(self.norm(x)), presents

    def forward(self, idx):
        T = idx.shape[1]
        first = T - T // 3
        logits, pasts = self.piece(idx[:, :first], [None] * len(self.blocks))
        found = [logits]
        for at in range(first, T, 2):
            logits, pasts = self.piece(idx[:, at : at + 2], pasts)
            found.append(logits)
        return torch.cat(found, dim=1)


class NewInFront(Pieces):
    def join(self, k, v, past):
        if past is None or self.right:
            return super().join(k, v, past)
        k, v = torch.cat((k, past[0]), dim=2), torch.cat((v, past[1]), dim=2)
        return k, v, (k, v)


class ValuesInFront(Pieces):
    def join(self, k, v, past):
        if past is None or self.right:
            return super().join(k, v, past)
        k, v = torch.cat((past[0], k), dim=2), torch.cat((v, past[1]), dim=2)
        return k, v, (k, v)


class Stale(Pieces):
    def join(self, k, v, past):
        k, v, present = super().join(k, v, past)
        return k, v, present if past is None or self.right else past


class FirstLayers(Pieces):
    def past(self, pasts, layer):
        return pasts[layer if self.right else 0]


class Restarted(Pieces):
    def start(self, pasts):
        return super().start(pasts) if self.right else 0


class RestartedSines(Restarted):
    """A table of sines in the place of a learned one."""

    def __init__(self, right=False, dim=16):
        super().__init__(right, dim)
        rates = torch.arange(64)[:, None] * 10000.0 ** (-torch.arange(0, dim, 2) / dim)
        self.pos = None
        self.register_buffer("table", torch.stack((rates.sin(), rates.cos()), -1).flatten(1))

    def embed(self, idx, places):
        return self.tok(idx) + self.table[places]


class Unread(Pieces):
    def join(self, k, v, past):
        return super().join(k, v, past if self.right else None)


class Branches(Pieces):
    """Two ways on from one prefix, each compared with its own tokens."""

    def forward(self, idx):
        first = idx.shape[1] - 4
        _, pasts = self.piece(idx[:, :first], [None] * len(self.blocks))
        ends = [self.piece(tail, pasts)[0] for tail in (idx[:, first:], idx[:, first:].flip(1))]
        return torch.stack(ends).amax(0)


class Cache:
    """Lists by layer, in an object that goes through all of them."""

    def __init__(self, layers, kind):
        self.keys, self.values, self.kind = [None] * layers, [None] * layers, kind

    def __len__(self):
        return 0 if self.keys[0] is None else self.keys[0].size(-2)

    def update(self, k, v, layer):
        keys, values = self.keys[layer], self.values[layer]
        if keys is not None and self.kind == "keys":
            values = keys
        if keys is not None and self.kind == "layer" and layer > 0:
            keys, values = self.keys[layer - 1][..., :-1, :], self.values[layer - 1][..., :-1, :]
        new_k = k if keys is None else torch.cat([keys, k], dim=-2)
        new_v = v if values is None else torch.cat([values, v], dim=-2)
        if keys is None or self.kind != "stale":
            self.keys[layer], self.values[layer] = new_k, new_v
        return new_k, new_v


class Layer(nn.Module):
    def __init__(self, at, dim, heads, kind):
        super().__init__()
        self.at, self.heads, self.kind = at, heads, kind
        self.n1, self.n2 = nn.RMSNorm(dim), nn.RMSNorm(dim)
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(dim, dim, bias=False) for _ in range(4))
        self.up, self.gate, self.down = nn.Linear(dim, 32), nn.Linear(dim, 32), nn.Linear(32, dim)

    def forward(self, x, cache):
        y = self.n1(x)
        q, k, v = (w(y).unflatten(-1, (self.heads, -1)).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if self.kind != "unread" or len(cache) == 0:
            k, v = cache.update(k, v, self.at)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=q.shape[2] == k.shape[2])
        x = x + self.wo(y.transpose(1, 2).flatten(2))
        y = self.n2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class OneByOne(nn.Module):
    """Tokens behind the first eight, one at a time."""

    kind = ""

    def __init__(self, right=False, dim=16, heads=2):
        super().__init__()
        self.kind = "" if right else self.kind
        self.tok, self.pos = nn.Embedding(vocabulary, dim), nn.Parameter(0.1 * torch.randn(64, dim))
        self.layers = nn.ModuleList(Layer(at, dim, heads, self.kind) for at in range(2))
        self.norm, self.head = nn.RMSNorm(dim), nn.Linear(dim, vocabulary, bias=False)

    def step(self, idx, cache):
        start = 0 if self.kind == "restart" else len(cache)
        x = self.tok(idx) + self.pos[start : start + idx.shape[1]]
        for layer in self.layers:
            x = layer(x, cache)
        return self.head(self.norm(x))

    def forward(self, idx):
        cache = Cache(len(self.layers), self.kind)
        found = [self.step(idx[:, :8], cache)]
        for token in idx[:, 8:12].split(1, dim=1):
            found.append(self.step(token, cache))
        return F.cross_entropy(torch.cat(found, 1)[:, :-1].flatten(0, 1), idx[:, 1:12].flatten())


class KeysAsValues(OneByOne):
    kind = "keys"


class StaleObject(OneByOne):
    kind = "stale"


class RestartedParameter(OneByOne):
    kind = "restart"


class UnreadObject(OneByOne):
    kind = "unread"


class LayerBefore(OneByOne):
    kind = "layer"


class Joint(nn.Module):
    """Text and image attend to each other, each with maps of its own."""

    def __init__(self, dim=16):
        super().__init__()
        self.one, self.other = nn.Linear(dim, 3 * dim), nn.Linear(dim, 3 * dim)
        self.into, self.tok, self.head = nn.Linear(6, dim), nn.Embedding(vocabulary, dim), nn.Linear(dim, 5)
        self.out = nn.ModuleList([nn.Linear(dim, dim), nn.Linear(dim, dim)])
        self.norm = nn.LayerNorm(dim)

    def forward(self, idx, image: torch.Tensor = torch.arange(4 * 9 * 6.0).view(4, 9, 6).sin()):
        x, y = self.tok(idx), self.into(image)
        for _ in range(2):
            made = [m(self.norm(z)).chunk(3, -1) for m, z in ((self.other, y), (self.one, x))]
            q, k, v = (torch.cat(parts, 1).unsqueeze(1) for parts in zip(*made))
            z = F.scaled_dot_product_attention(q, k, v)[:, 0]
            y, x = y + self.out[0](z[:, :9]), x + self.out[1](z[:, 9:])
        return self.head(self.norm(x).mean(1))

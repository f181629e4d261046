"""Blocks whose stream is cut, smoothed, mixed with its neighbours or begun anew on the way."""
import torch
import torch.nn.functional as F
from torch import nn

D, V = 16, 31


def attention():
    return nn.MultiheadAttention(D, 2, batch_first=True)


def attend(layer, x, memory=None):
    memory = x if memory is None else memory
    return layer(x, memory, memory, need_weights=False)[0]


class Feed(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(D, 4 * D), nn.GELU(), nn.Linear(4 * D, D))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok, self.pos = nn.Embedding(V, D), nn.Embedding(64, D)
        self.blocks = nn.ModuleList(self.block() for _ in range(2))
        self.norm, self.head = nn.LayerNorm(D), nn.Linear(D, V)

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


class Decomposed(nn.Module):
    """Autoformer's: what is left of each sum without its moving average."""

    def __init__(self):
        super().__init__()
        self.attn, self.feed, self.mean = attention(), Feed(), nn.AvgPool1d(5, 1)

    def rest(self, x):
        padded = torch.cat([x[:, :1].repeat(1, 2, 1), x, x[:, -1:].repeat(1, 2, 1)], 1)
        return x - self.mean(padded.transpose(1, 2)).transpose(1, 2)

    def forward(self, x):
        x = self.rest(x + attend(self.attn, x))
        return self.rest(x + self.feed(x))


class Autoformer(Model):
    block = Decomposed


class GlobalToken(nn.Module):
    """TimeXer's: the last token alone reads the rest, and is joined to them again."""

    def __init__(self):
        super().__init__()
        self.attn, self.cross, self.feed = attention(), attention(), Feed()
        self.n1, self.n2, self.n3 = (nn.LayerNorm(D) for _ in range(3))

    def forward(self, x):
        x = self.n1(x + attend(self.attn, x))
        rest, last = x[:, :-1], x[:, -1:]
        last = self.n2(last + attend(self.cross, last, rest))
        x = torch.cat([rest, last], 1)
        return self.n3(x + self.feed(x))


class TimeXer(Model):
    block = GlobalToken


class Shifted(nn.Module):
    """RWKV's channel mixing: a norm of the stream and that of the token before, mixed."""

    def __init__(self):
        super().__init__()
        self.n1, self.n2, self.attn = nn.LayerNorm(D), nn.LayerNorm(D), attention()
        self.mix = nn.Parameter(torch.rand(D))
        self.key, self.value, self.gate = nn.Linear(D, 64), nn.Linear(64, D), nn.Linear(D, D)

    def forward(self, x):
        x = x + attend(self.attn, self.n1(x))
        h = self.n2(x)
        h = h * self.mix + F.pad(h, (0, 0, 1, -1)) * (1 - self.mix)
        return x + torch.sigmoid(self.gate(h)) * self.value(torch.relu(self.key(h)) ** 2)


class Rwkv(Model):
    block = Shifted


class BegunAnew(nn.Module):
    """The first of SAM's: attention's result takes the place of the stream, which queries are told of alone."""

    def __init__(self):
        super().__init__()
        self.attn, self.cross, self.feed = attention(), attention(), Feed()
        self.n1, self.n2, self.n3 = (nn.LayerNorm(D) for _ in range(3))

    def forward(self, x):
        places, x = x, self.n1(attend(self.attn, x))
        x = self.n2(x + attend(self.cross, x + places))
        return self.n3(x + self.feed(x))


class TwoWay(Model):
    block = BegunAnew


class Projected(nn.Module):
    """No sum leads to its end."""

    def __init__(self):
        super().__init__()
        self.attn, self.norm, self.close = attention(), nn.LayerNorm(D), nn.Linear(D, D)

    def forward(self, x):
        return self.close(F.gelu(self.norm(x + attend(self.attn, x))))


class Closed(Model):
    block = Projected

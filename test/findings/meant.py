"""Models that look like mistakes and mean what they do."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    """Queries, keys and values from three streams."""

    def __init__(self, dim, heads=2):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, q, k, v, bias=None):
        q, k, v = (
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part in (self.q(q), self.k(k), self.v(v))
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if bias is not None:
            scores = scores + bias
        return self.out((scores.softmax(dim=-1) @ v).transpose(1, 2).flatten(-2))


class PointBlock(nn.Module):
    """Points attend to each other and to a picture; the points' positions are added again each time."""

    def __init__(self, dim):
        super().__init__()
        self.own, self.picture, self.points = Attention(dim), Attention(dim), Attention(dim)
        self.fc = nn.Sequential(nn.Linear(dim, 2 * dim), nn.ReLU(), nn.Linear(2 * dim, dim))
        self.n1, self.n2, self.n3, self.n4 = (nn.LayerNorm(dim) for _ in range(4))

    def forward(self, points, cells, where, places, first):
        if first:
            points = self.own(points, points, points)
        else:
            placed = points + where
            points = points + self.own(placed, placed, points)
        points = self.n1(points)
        points = self.n2(points + self.picture(points + where, cells + places, cells))
        points = self.n3(points + self.fc(points))
        cells = self.n4(cells + self.points(cells + places, points + where, points))
        return points, cells


class Points(nn.Module):
    """What is added again and again is what the first block gets as its stream."""

    def __init__(self, dim=16, depth=2):
        super().__init__()
        self.layers = nn.ModuleList(PointBlock(dim) for _ in range(depth))
        self.last, self.norm = Attention(dim), nn.LayerNorm(dim)

    def forward(self, points: torch.Tensor, cells: torch.Tensor, places: torch.Tensor):
        where = points
        for at, layer in enumerate(self.layers):
            points, cells = layer(points, cells, where, places, at == 0)
        points = points + self.last(points + where, cells + places, cells)
        return self.norm(points), cells


class Patches(nn.Module):
    """A picture's class token is spread by zeros; probabilities are for evaluation alone."""

    def __init__(self, dim=16, classes=10):
        super().__init__()
        self.patch = nn.Conv2d(3, dim, 8, 8)
        self.first = nn.Parameter(torch.randn(dim))
        self.places = nn.Parameter(torch.randn(17, dim))
        self.attn, self.n1, self.n2 = Attention(dim), nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, image):
        x = self.patch(image).flatten(2).transpose(1, 2)
        first = self.first + torch.zeros(x.shape[0], 1, x.shape[-1])
        x = torch.cat([first, x], dim=1) + self.places
        h = self.n1(x)
        x = x + self.attn(h, h, h, bias=torch.zeros(1, 1, 17, 17))
        logits = self.head(self.n2(x)[:, 0])
        if not self.training:
            logits = logits.softmax(dim=-1)
        return logits


class PositionsFirst(nn.Module):
    """A layer of a model whose stream is `[positions, batch, width]`."""

    def __init__(self, d_model=16, nhead=2):
        super().__init__()
        self.attn, self.norm = nn.MultiheadAttention(d_model, nhead), nn.LayerNorm(d_model)

    def forward(self, src: torch.Tensor):
        return self.norm(src + self.attn(src, src, src)[0])


class Experts(nn.Module):
    """Gives the loss of its router beside its result."""

    def __init__(self, input_size=16, experts=4):
        super().__init__()
        self.router = nn.Linear(input_size, experts)
        self.experts = nn.ModuleList(nn.Linear(input_size, input_size) for _ in range(experts))

    def forward(self, x):
        gates = self.router(x).softmax(dim=-1)
        mixed = sum(gates[:, [at]] * expert(x) for at, expert in enumerate(self.experts))
        return mixed, gates.mean(dim=0).pow(2).sum()


class Opening(nn.Module):
    """Each branch closes with zeros, and so does the model: all of them read what is not zero."""

    def __init__(self, dim=16, depth=4, vocabulary=31):
        super().__init__()
        self.emb = nn.Embedding(vocabulary, dim)
        self.ups = nn.ModuleList(nn.Linear(dim, dim) for _ in range(depth))
        self.downs = nn.ModuleList(nn.Linear(dim, dim) for _ in range(depth))
        self.gates = nn.ModuleList(nn.Linear(dim, dim) for _ in range(depth))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)
        for map in (*self.downs, *self.gates, self.head):
            nn.init.zeros_(map.weight)

    def forward(self, idx):
        x = self.emb(idx)
        for up, down, gate in zip(self.ups, self.downs, self.gates):
            x = x + (1 + gate(x)) * down(F.gelu(up(x)))
        return self.head(self.norm(x))


class Normed(nn.Module):
    def __init__(self, dim, part):
        super().__init__()
        self.norm, self.part = nn.LayerNorm(dim), part

    def forward(self, x):
        return self.part(self.norm(x))


class Itself(Attention):
    def forward(self, x):
        return super().forward(x, x, x)


class Mobile(nn.Module):
    """Residual convolutions in a list, and a transformer that adds around the layers of another."""

    def __init__(self, dim=16, classes=10):
        super().__init__()
        self.open = nn.Conv2d(3, dim, 4, 4)
        self.convolutions = nn.ModuleList(nn.Conv2d(dim, dim, 3, padding=1) for _ in range(2))
        self.layers = nn.ModuleList(
            nn.ModuleList([Normed(dim, Itself(dim)), Normed(dim, nn.Linear(dim, dim))])
            for _ in range(2)
        )
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, classes)

    def forward(self, image):
        x = self.open(image)
        for convolution in self.convolutions:
            x = x + convolution(x)
        x = x.flatten(2).transpose(1, 2)
        for attention, mix in self.layers:
            x = attention(x) + x
            x = mix(x) + x
        return self.head(self.norm(x).mean(dim=1))


class Kept(torch.autograd.Function):
    """Keeps a part's input alone, and runs it again for its gradients."""

    @staticmethod
    def forward(ctx, part, x, *parameters):
        ctx.part, ctx.parameters = part, parameters
        ctx.save_for_backward(x)
        with torch.no_grad():
            return part(x)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_(True)
            y = ctx.part(x)
        return None, *torch.autograd.grad(y, (x, *ctx.parameters), gradient)


class Checkpointed(nn.Module):
    def __init__(self, dim=16, vocabulary=31):
        super().__init__()
        self.emb = nn.Embedding(vocabulary, dim)
        self.layers = nn.ModuleList(Normed(dim, Itself(dim)) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def forward(self, idx):
        x = self.emb(idx)
        for layer in self.layers:
            x = x + Kept.apply(layer, x, *layer.parameters())
        return self.head(self.norm(x))

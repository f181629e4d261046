"""Gates that multiply twice, and experts without room, and the same without the mistake (`right=True`)."""
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


class Capacity(nn.Module):
    """Takes the first tokens of each expert; those over its capacity are dropped."""

    def __init__(self, dim, right, experts=4, factor=0.1):
        super().__init__()
        self.router = nn.Linear(dim, experts)
        self.ups = nn.ModuleList(nn.Linear(dim, 2 * dim) for _ in range(experts))
        self.downs = nn.ModuleList(nn.Linear(2 * dim, dim) for _ in range(experts))
        self.factor = 4.0 if right else factor

    def forward(self, x):
        B, T, D = x.shape
        flat = x.reshape(-1, D)
        probs = self.router(flat).softmax(-1)
        gate, choice = probs.max(dim=-1)
        capacity = int(self.factor * flat.shape[0] / len(self.ups))
        out = torch.zeros_like(flat)
        for e, (up, down) in enumerate(zip(self.ups, self.downs)):
            rows = torch.where(choice == e)[0][:capacity]
            y = down(F.gelu(up(flat[rows])))
            out = out.index_add(0, rows, gate[rows, None] * y)
        return out.view(B, T, D)


class DenseCapacity(Capacity):
    """The same by products with tensors of ones."""

    def forward(self, x):
        B, T, D = x.shape
        E = len(self.ups)
        flat = x.reshape(-1, D)
        N = flat.shape[0]
        probs = self.router(flat).softmax(-1)
        gate, choice = probs.topk(1, dim=-1)
        capacity = max(1, int(self.factor * N / E))
        mask = F.one_hot(choice[:, 0], E).float()
        place = (mask.cumsum(0) - 1) * mask
        kept = mask * (place < capacity).float()
        slots = F.one_hot(place.sum(-1).long().clamp(max=capacity - 1), capacity).float()
        dispatch = kept[:, :, None] * slots[:, None, :]
        given = torch.einsum("nec,nd->ecd", dispatch, flat)
        made = torch.stack([down(F.gelu(up(g))) for g, up, down in zip(given, self.ups, self.downs)])
        combine = dispatch * gate[:, :, None]
        return torch.einsum("nec,ecd->nd", combine, made).view(B, T, D)


class GateTwice(nn.Module):
    def __init__(self, dim, right, experts=4):
        super().__init__()
        self.router = nn.Linear(dim, experts)
        self.ups = nn.ModuleList(nn.Linear(dim, 2 * dim) for _ in range(experts))
        self.downs = nn.ModuleList(nn.Linear(2 * dim, dim) for _ in range(experts))
        self.right = right

    def forward(self, x):
        gates = self.router(x).softmax(-1)
        value, choice = gates.topk(2, dim=-1)
        value = value / value.sum(-1, keepdim=True)
        out = torch.zeros_like(x)
        for e, (up, down) in enumerate(zip(self.ups, self.downs)):
            weight = (value * (choice == e)).sum(-1, keepdim=True)
            y = weight * down(F.gelu(up(x)))
            out = out + (y if self.right else weight * y)
        return out


class GluTwice(nn.Module):
    def __init__(self, dim, right):
        super().__init__()
        self.gate, self.up = nn.Linear(dim, 2 * dim), nn.Linear(dim, 2 * dim)
        self.down = nn.Linear(2 * dim, dim)
        self.right = right

    def forward(self, x):
        g = F.silu(self.gate(x))
        h = g * self.up(x)
        if not self.right:
            h = g * h
        return self.down(h)


class Block(nn.Module):
    def __init__(self, dim, part, right):
        super().__init__()
        self.n1, self.n2, self.attn = nn.LayerNorm(dim), nn.LayerNorm(dim), Attention(dim)
        self.ff = part(dim, right)

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.ff(self.n2(x))


class Model(nn.Module):
    part = GluTwice

    def __init__(self, right=False, dim=16, depth=2):
        super().__init__()
        self.emb = nn.Embedding(vocabulary, dim)
        self.blocks = nn.ModuleList(Block(dim, self.part, right) for _ in range(depth))
        self.close, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def forward(self, idx, targets=None):
        x = self.emb(idx)
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.close(x))
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), idx[:, 1:].flatten())


class DroppedRows(Model):
    part = Capacity


class DroppedSlots(Model):
    part = DenseCapacity


class GatesOfExperts(Model):
    part = GateTwice


class GatesOfUnits(Model):
    part = GluTwice


class Hidden(Model):
    """A squared activation is one gate."""

    class part(GluTwice):
        def forward(self, x):
            return self.down(F.relu(self.gate(x)) ** 2 * self.up(x))

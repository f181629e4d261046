"""DeepNorm with other factors than its depth asks for, and with those (`right=True`)."""
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
    def __init__(self, dim, alpha, right):
        super().__init__()
        self.n1, self.n2, self.attn = nn.LayerNorm(dim), nn.LayerNorm(dim), Attention(dim)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)
        self.alpha, self.right = alpha, right

    def mlp(self, x):
        return self.down(F.gelu(self.up(x)))

    def forward(self, x):
        x = self.n1(x * self.alpha + self.attn(x))
        return self.n2(x * self.alpha + self.mlp(x))


class OnBranch(Block):
    def forward(self, x):
        if self.right:
            return super().forward(x)
        x = self.n1(x + self.alpha * self.attn(x))
        return self.n2(x + self.mlp(x) * self.alpha)


class Root(nn.Module):
    block = Block

    def __init__(self, right=False, dim=16, depth=8):
        super().__init__()
        alpha = (2 * depth) ** 0.25 if right else self.factor(depth)
        self.emb = nn.Embedding(vocabulary, dim)
        self.blocks = nn.ModuleList(self.block(dim, alpha, right) for _ in range(depth))
        self.head = nn.Linear(dim, vocabulary)

    def factor(self, depth):
        return (2 * depth) ** 0.5

    def forward(self, idx):
        x = self.emb(idx)
        for block in self.blocks:
            x = block(x)
        logits = self.head(x)
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), idx[:, 1:].flatten())


class OtherDepth(Root):
    def factor(self, depth):
        return (8 * depth) ** 0.25


class Turned(Root):
    block = OnBranch

    def factor(self, depth):
        return (2 * depth) ** 0.25


class Scaled(Root):
    """Post-LN with a branch of its own weight is no DeepNorm."""

    block = OnBranch

    def factor(self, depth):
        return 0.5

"""Mistakes of routers and their experts, and the same without them (`right=True`)."""
import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 37


class Expert(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.up, self.down = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)

    def forward(self, x):
        return self.down(F.silu(self.up(x)))


class Experts(nn.Module):
    def __init__(self, dim, right, experts=6, chosen=2):
        super().__init__()
        self.right, self.chosen = right, chosen
        self.gate = nn.Linear(dim, experts, bias=False)
        self.experts = nn.ModuleList(Expert(dim) for _ in range(experts))
        self.balance = 0.0

    def route(self, logits):
        """Gates and numbers of the experts of each token."""
        gates, which = logits.softmax(-1).topk(self.chosen, -1)
        return gates / gates.sum(-1, keepdim=True), which

    def forward(self, x):
        rows = x.flatten(0, 1)
        logits = self.gate(rows)
        gates, which = self.route(logits)
        out = torch.zeros_like(rows)
        for at, expert in enumerate(self.experts):
            token, slot = torch.where(which == at)
            out = out.index_add(0, token, expert(rows[token]) * gates[token, slot, None])
        share = F.one_hot(which, len(self.experts)).float().mean((0, 1))
        self.balance = len(self.experts) * (share * logits.softmax(-1).mean(0)).sum()
        return out.view_as(x)


class OneOfItself(Experts):
    """Switch's single expert keeps its probability."""

    def __init__(self, dim, right):
        super().__init__(dim, right, chosen=1)

    def route(self, logits):
        gates, which = logits.softmax(-1).topk(1, -1)
        return gates if self.right else gates / gates.sum(-1, keepdim=True), which


class SoftmaxOfOne(Experts):
    def __init__(self, dim, right):
        super().__init__(dim, right, chosen=2 if right else 1)

    def route(self, logits):
        top, which = logits.topk(self.chosen, -1)
        return top.softmax(-1), which


class Detached(Experts):
    def route(self, logits):
        return super().route(logits if self.right else logits.detach())


class Unscaled(Experts):
    """Parts of a softmax over all."""

    def route(self, logits):
        gates, which = super().route(logits)
        return (gates, which) if self.right else logits.softmax(-1).topk(self.chosen, -1)


class Even(Experts):
    def __init__(self, dim, right):
        super().__init__(dim, right)
        if not right:
            nn.init.zeros_(self.gate.weight)


class Shared(Experts):
    """Chosen experts beside one that all tokens go to, which keeps the sum in size."""

    def __init__(self, dim, right):
        super().__init__(dim, right)
        self.shared = Expert(dim)

    def route(self, logits):
        return logits.softmax(-1).topk(self.chosen, -1)

    def forward(self, x):
        return super().forward(x) + self.shared(x)


class Block(nn.Module):
    def __init__(self, dim, kind, right):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.experts = kind(dim, right)

    def forward(self, x, mask):
        h = self.n1(x)
        x = x + self.attn(h, h, h, attn_mask=mask, need_weights=False)[0]
        return x + self.experts(self.n2(x))


class Model(nn.Module):
    def __init__(self, kind, right, dim=16):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocabulary, dim), nn.Embedding(64, dim)
        self.blocks = nn.ModuleList(Block(dim, kind, right) for _ in range(2))
        self.close, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def forward(self, idx, targets):
        T = idx.shape[1]
        x = self.tok(idx) + self.pos(torch.arange(T))
        mask = nn.Transformer.generate_square_subsequent_mask(T)
        for block in self.blocks:
            x = block(x, mask)
        loss = F.cross_entropy(self.head(self.close(x)).flatten(0, 1), targets.flatten())
        return loss + 0.01 * sum(block.experts.balance for block in self.blocks)


def of(kind):
    class Of(Model):
        def __init__(self, right=False):
            super().__init__(kind, right)

    return Of


OfOneOfItself = of(OneOfItself)
OfSoftmaxOfOne = of(SoftmaxOfOne)
OfDetached = of(Detached)
OfUnscaled = of(Unscaled)
OfEven = of(Even)
OfShared = of(Shared)

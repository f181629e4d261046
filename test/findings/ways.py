"""Ways from parameters to the loss, and from later positions to earlier ones, with a mistake each and without it (`right=True`)."""
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    """Causal attention and a feed-forward net, Pre-LN."""

    def __init__(self, dim, right):
        super().__init__()
        self.right = right
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def before(self, x):
        return x

    def attend(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, 2, D // 2).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(B, T, D))

    def forward(self, x):
        x = x + self.attend(self.before(self.n1(x)))
        return x + self.down(F.gelu(self.up(self.n2(x))))


class Convolved(Block):
    """A convolution that pads both sides."""

    def __init__(self, dim, right):
        super().__init__(dim, right)
        self.mix = nn.Conv1d(dim, dim, 3, groups=dim)

    def before(self, x):
        sides = (2, 0) if self.right else (1, 1)
        return self.mix(F.pad(x.transpose(1, 2), sides)).transpose(1, 2)


class Grouped(Block):
    """A group norm over positions."""

    def __init__(self, dim, right):
        super().__init__(dim, right)
        self.group = nn.GroupNorm(2, dim)

    def before(self, x):
        if self.right:
            return self.group(x.flatten(0, 1)).view_as(x)
        return self.group(x.transpose(1, 2)).transpose(1, 2)


class Kernel(Block):
    """Linear attention, whose sums run over all keys."""

    def attend(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, 2, D // 2).permute(2, 0, 3, 1, 4)
        q, k = F.elu(q) + 1, F.elu(k) + 1
        products = k.unsqueeze(-1) * v.unsqueeze(-2)
        if self.right:
            products, total = products.cumsum(2), k.cumsum(2)
        else:
            products, total = products.sum(2, keepdim=True), k.sum(2, keepdim=True)
        y = (q.unsqueeze(-2) @ products).squeeze(-2)
        y = y / (q * total).sum(-1, keepdim=True)
        return self.out(y.transpose(1, 2).reshape(B, T, D))


class Model(nn.Module):
    block = Block

    def __init__(self, dim=16, vocab=31, right: bool = False):
        super().__init__()
        self.right = right
        self.emb, self.pos = nn.Embedding(vocab, dim), nn.Embedding(64, dim)
        self.blocks = nn.ModuleList(self.block(dim, right) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocab)

    def places(self, idx):
        return self.pos(torch.arange(idx.shape[1]))

    def embed(self, idx):
        return self.emb(idx) + self.places(idx)

    def loss(self, logits, idx):
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), idx[:, 1:].flatten())

    def forward(self, idx):
        x = self.embed(idx)
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        return logits, self.loss(logits, idx)


class ReadsAhead(Model):
    block = Convolved


class NormAhead(Model):
    block = Grouped


class SumsAhead(Model):
    block = Kernel


class SumForgotten(Model):
    def embed(self, idx):
        x = self.emb(idx)
        if self.right:
            return x + self.places(idx)
        x + self.places(idx)
        return x


class MadeAnew(Model):
    def embed(self, idx):
        x = super().embed(idx)
        return x if self.right else torch.tensor((2 * x).tolist())


class LossOfNumbers(Model):
    def loss(self, logits, idx):
        loss = super().loss(logits, idx)
        return loss if self.right else torch.tensor(loss.item(), requires_grad=True)


class Spared(nn.Module):
    """Heads that no call reaches, in each of three layers."""

    def __init__(self, dim=16, vocab=31):
        super().__init__()
        self.emb, self.close = nn.Embedding(vocab, dim), nn.LayerNorm(dim)
        self.layers = nn.ModuleList(Sparing(dim) for _ in range(3))
        self.head = nn.Linear(dim, vocab)

    def forward(self, idx):
        x = self.emb(idx)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.close(x))


class Sparing(Block):
    def __init__(self, dim):
        super().__init__(dim, True)
        self.gate = nn.Linear(dim, dim)


class ClassRows(nn.Module):
    """The loss reads one row of each sample: half of the units are 0 there by chance."""

    def __init__(self, dim=32, vocab=31):
        super().__init__()
        self.emb, self.pos = nn.Embedding(vocab, dim), nn.Embedding(65, dim)
        self.first = nn.Parameter(0.02 * torch.randn(1, 1, dim))
        self.layer = nn.TransformerEncoderLayer(dim, 4, 2 * dim, 0.0, batch_first=True)
        self.head = nn.Linear(dim, 10)

    def forward(self, idx):
        x = torch.cat([self.first.expand(idx.shape[0], -1, -1), self.emb(idx)], dim=1)
        x = self.layer(x + self.pos(torch.arange(x.shape[1])))
        return self.head(x[:, 0])


class Ends(nn.Module):
    """Two logits of each position, of which a loss that is made up takes the first."""

    def __init__(self, dim=16, vocab=31):
        super().__init__()
        self.emb, self.pos = nn.Embedding(vocab, dim), nn.Embedding(64, dim)
        self.block, self.norm = Block(dim, True), nn.LayerNorm(dim)
        self.head = nn.Linear(dim, 2)

    def forward(self, idx):
        x = self.emb(idx) + self.pos(torch.arange(idx.shape[1]))
        starts, ends = self.head(self.norm(self.block(x))).split(1, dim=-1)
        return starts.squeeze(-1), ends.squeeze(-1)


class Features(nn.Module):
    """Gives out what its norm makes: as many numbers as no vocabulary has classes."""

    def __init__(self, dim=64, vocab=31):
        super().__init__()
        self.emb, self.pos = nn.Embedding(vocab, dim), nn.Embedding(64, dim)
        self.block, self.norm = Block(dim, True), nn.LayerNorm(dim)
        nn.init.constant_(self.norm.weight, 4.0)

    def forward(self, idx):
        return self.norm(self.block(self.emb(idx) + self.pos(torch.arange(idx.shape[1]))))


class Again(torch.autograd.Function):
    """Runs a block without gradients, and once more for them."""

    @staticmethod
    def forward(ctx, part, x, *parameters):
        ctx.part, ctx.x, ctx.parameters = part, x, parameters
        with torch.no_grad():
            return part(x)

    @staticmethod
    def backward(ctx, gradient):
        x = ctx.x.detach().requires_grad_(True)
        with torch.enable_grad():
            y = ctx.part(x)
        return None, *torch.autograd.grad(y, (x, *ctx.parameters), gradient)


class Stored(nn.Module):
    """A block whose own sum is within the function that runs it again."""

    def __init__(self, dim=16):
        super().__init__()
        self.block = Block(dim, True)

    def forward(self, x):
        return Again.apply(self.block, x, *self.block.parameters())


class RunAgain(nn.Module):
    def __init__(self, dim=16, vocab=31):
        super().__init__()
        self.emb, self.pos = nn.Embedding(vocab, dim), nn.Embedding(64, dim)
        self.blocks = nn.ModuleList(Stored(dim) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocab)

    def forward(self, idx):
        x = self.emb(idx) + self.pos(torch.arange(idx.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


class PostNorm(nn.Module):
    """Post-LN layers without a class of their own, positions first for attention alone, and a closing norm."""

    def __init__(self, dim=16, vocab=31):
        super().__init__()
        self.emb, self.pos = nn.Embedding(vocab, dim), nn.Embedding(64, dim)
        self.attentions = nn.ModuleList(nn.MultiheadAttention(dim, 2) for _ in range(2))
        self.ups = nn.ModuleList(nn.Conv1d(dim, dim, 1) for _ in range(2))
        self.downs = nn.ModuleList(nn.Conv1d(dim, dim, 1) for _ in range(2))
        self.firsts = nn.ModuleList(nn.LayerNorm(dim) for _ in range(2))
        self.seconds = nn.ModuleList(nn.LayerNorm(dim) for _ in range(2))
        self.close, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocab)

    def forward(self, idx):
        x = self.emb(idx) + self.pos(torch.arange(idx.shape[1]))
        for at, attention in enumerate(self.attentions):
            x = x.transpose(0, 1)
            x = self.firsts[at](x + attention(x, x, x, need_weights=False)[0])
            x = x.transpose(0, 1)
            y = self.downs[at](F.relu(self.ups[at](x.transpose(1, 2)))).transpose(1, 2)
            x = self.seconds[at](x + y)
        return self.head(self.close(x))


class Tempered(nn.Module):
    """A part whose temperature somebody else chooses."""

    def __init__(self, temperature=0.5):
        super().__init__()
        self.temperature = temperature

    def forward(self, q, k, v):
        return torch.softmax(q @ k.mT / self.temperature, dim=-1) @ v

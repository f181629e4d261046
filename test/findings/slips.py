"""Slips that leave a model running: axes, masks, tensors of no module, draws; the same without them (`right=True`)."""
import math

import torch
import torch.nn.functional as F
from torch import nn

DIM, VOCAB, HEADS = 16, 31, 2


class Attention(nn.Module):
    def __init__(self, right=True, causal=True):
        super().__init__()
        self.right, self.causal = right, causal
        self.q, self.k, self.v, self.out = (nn.Linear(DIM, DIM) for _ in range(4))

    def split(self, x):
        return x.unflatten(-1, (HEADS, -1)).transpose(1, 2)

    def mask(self, x):
        return torch.zeros(x.shape[1], x.shape[1]).masked_fill(
            torch.ones(x.shape[1], x.shape[1]).triu(1).bool(), float("-inf")
        )

    def weigh(self, scores):
        return scores.softmax(-1)

    def forward(self, x, memory=None, values=None):
        memory = x if memory is None else memory
        values = memory if values is None else values
        q, k, v = self.split(self.q(x)), self.split(self.k(memory)), self.split(self.v(values))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if self.causal:
            scores = scores + self.mask(x)
        return self.out((self.weigh(scores) @ v).transpose(1, 2).flatten(2))


class Block(nn.Module):
    """Pre-LN."""

    attention = Attention

    def __init__(self, right=True, causal=True):
        super().__init__()
        self.right, self.attn = right, self.attention(right, causal)
        self.n1, self.n2 = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.ff = nn.Sequential(nn.Linear(DIM, 4 * DIM), nn.GELU(), nn.Linear(4 * DIM, DIM))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.ff(self.n2(x))


class Model(nn.Module):
    block, causal = Block, True

    def __init__(self, right: bool = False):
        super().__init__()
        self.right = right
        self.tok, self.pos = nn.Embedding(VOCAB, DIM), nn.Embedding(80, DIM)
        self.blocks = nn.ModuleList(self.block(right, self.causal) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(DIM), nn.Linear(DIM, VOCAB)
        self.make()

    def make(self):
        pass

    def embed(self, idx):
        return self.tok(idx) + self.pos(torch.arange(idx.shape[1]))

    def run(self, x):
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

    def forward(self, idx):
        return self.head(self.run(self.embed(idx)))


class ViewOfBatch(Model):
    """Positions first, by a view."""

    def run(self, x):
        if self.right:
            return super().run(x)
        batch, length, dim = x.shape
        y = x.view(length, batch, dim)
        y = super().run(y.transpose(0, 1)).transpose(0, 1)
        return y.reshape(batch, length, dim)


class OfPaddedFront(Attention):
    """Padding in front behind a mask of finite numbers: rows of padding have even weights."""

    def mask(self, x):
        low = torch.finfo(x.dtype).min
        pad = torch.zeros(x.shape[0], 1, 1, x.shape[1])
        pad[1, ..., :4] = low
        future = torch.full((x.shape[1], x.shape[1]), low).triu(1)
        return (future + pad).clamp(min=low)


class PaddedFrontBlock(Block):
    attention = OfPaddedFront


class PaddedFront(Model):
    block = PaddedFrontBlock

    def forward(self, idx):
        logits = super().forward(idx)
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), idx[:, 1:].flatten())


class ValuesOfStream(nn.Module):
    """A decoder that asks the memory's keys, and sums its own values."""

    def __init__(self, right: bool = False):
        super().__init__()
        self.right = right
        self.tok, self.pos = nn.Embedding(VOCAB, DIM), nn.Embedding(80, DIM)
        self.encoder, self.decoder = Block(causal=False), Block()
        self.cross, self.norm, self.last = Attention(causal=False), nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.head = nn.Linear(DIM, VOCAB)

    def embed(self, idx):
        return self.tok(idx) + self.pos(torch.arange(idx.shape[1]))

    def forward(self, source, target):
        memory = F.layer_norm(self.encoder(self.embed(source)), (DIM,))
        x = self.decoder(self.embed(target))
        h = self.norm(x)
        x = x + self.cross(h, memory, memory if self.right else h)
        return self.head(self.last(x))


class OfAllPairs(Attention):
    """Softmax of flattened scores."""

    def weigh(self, scores):
        if self.right:
            return super().weigh(scores)
        return scores.flatten(2).softmax(-1).view_as(scores)


class AllPairsBlock(Block):
    attention = OfAllPairs


class AllPairs(Model):
    block = AllPairsBlock


class DrawnPositions(Model):
    """Positions of a plain random tensor."""

    def make(self):
        del self.pos
        table = torch.randn(1, 80, DIM)
        if self.right:
            self.pos = nn.Parameter(table)
        else:
            self.pos = 0.02 * table

    def embed(self, idx):
        return self.tok(idx) + self.pos[:, : idx.shape[1]]


class ScaledPositions(DrawnPositions):
    """What is computed of a parameter is none."""

    def make(self):
        del self.pos
        self.pos = nn.Parameter(0.02 * torch.randn(1, 80, DIM))
        if not self.right:
            del self.pos
            self.pos = nn.Parameter(torch.randn(1, 80, DIM)) * 0.02


class ExampleKept(Model):
    """Drawn, and read by nobody."""

    def make(self):
        self.example = torch.rand(2, 5)
        self.slopes = torch.arange(4) / 4


class RolledTargets(Model):
    """The last position is asked for the first token."""

    def forward(self, idx):
        logits, targets = super().forward(idx), idx.roll(-1, 1)
        if self.right:
            logits, targets = logits[:, :-1], targets[:, :-1]
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


class DeepBlock(Block):
    """Stochastic depth that draws in evaluation mode."""

    def path(self, branch):
        if self.right and not self.training:
            return branch
        keep = 0.9
        return branch / keep * torch.floor(keep + torch.rand(branch.shape[0], 1, 1))

    def forward(self, x):
        x = x + self.path(self.attn(self.n1(x)))
        return x + self.path(self.ff(self.n2(x)))


class DeepInEval(Model):
    block = DeepBlock


class OpenDecoder(nn.Module):
    """nn.Transformer, whose target has no mask, and a loss that asks for the next token."""

    def __init__(self, right: bool = False):
        super().__init__()
        self.right = right
        self.tok, self.pos = nn.Embedding(VOCAB, DIM), nn.Embedding(80, DIM)
        self.model = nn.Transformer(DIM, HEADS, 1, 1, 2 * DIM, batch_first=True)
        self.head = nn.Linear(DIM, VOCAB)

    def embed(self, idx):
        return self.tok(idx) + self.pos(torch.arange(idx.shape[1]))

    def forward(self, source, target):
        length = target.shape[1] - 1
        mask = nn.Transformer.generate_square_subsequent_mask(length) if self.right else None
        x = self.model(self.embed(source), self.embed(target[:, :-1]), tgt_mask=mask)
        return F.cross_entropy(self.head(x).flatten(0, 1), target[:, 1:].flatten())


class CutInside(Model):
    """The model takes all but the last token of what it gets, and forgets its mask."""

    def make(self):
        for block in self.blocks:
            block.attn.causal = self.right

    def forward(self, idx):
        logits = super().forward(idx[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), idx[:, 1:].flatten())


class WholeNorms(Model):
    """Norms over positions and width."""

    causal = False

    def make(self):
        if not self.right:
            for block in self.blocks:
                block.n1 = nn.LayerNorm([20, DIM])

    def embed(self, idx):
        return super().embed(idx[:, :20])


class HeadMadeLate(Model):
    """A method that the constructor calls initialises, and makes the head anew."""

    def make(self):
        if self.right:
            self.head = nn.Linear(DIM, 10)
        self.apply(self.initialise)
        if not self.right:
            self.head = nn.Linear(DIM, 10)

    def initialise(self, module):
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=0.02)


class SlowSines(Model):
    """`2 * i / d`, where `i` counts by twos."""

    def make(self):
        del self.pos
        places, even = torch.arange(80.0)[:, None], torch.arange(0, DIM, 2)
        angles = places / 10000 ** ((1 if self.right else 2) * even / DIM)
        table = torch.zeros(80, DIM)
        table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
        self.register_buffer("pos", table)

    def embed(self, idx):
        return self.tok(idx) + self.pos[: idx.shape[1]]


class ActiveBlock(Block):
    """ReLU behind the last map of a branch."""

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        y = self.ff(self.n2(x))
        return x + (y if self.right else F.relu(y))


class ActiveBranches(Model):
    block = ActiveBlock

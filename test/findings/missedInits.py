"""Initialisations that do not reach what they are meant for, and the same where they do (`right=True`)."""
import math

import torch
import torch.nn.functional as F
from torch import nn

vocabulary = 29


class Attention(nn.Module):
    def __init__(self, dim, flag, heads=2):
        super().__init__()
        self.heads = heads
        self.c_attn, self.c_proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        if flag:
            setattr(self.c_proj, flag, True)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.c_attn(x).view(B, T, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(y.transpose(1, 2).reshape(B, T, D))


class Block(nn.Module):
    def __init__(self, dim, flag=None):
        super().__init__()
        self.ln_1, self.ln_2, self.attn = nn.LayerNorm(dim), nn.LayerNorm(dim), Attention(dim, flag)
        self.up, self.down = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.down(F.gelu(self.up(self.ln_2(x))))


class Model(nn.Module):
    flag = None

    def __init__(self, right=False, dim=16, layers=3):
        super().__init__()
        self.right, self.layers = right, layers
        self.begin(dim, layers)

    def begin(self, dim, layers):
        self.make(dim, layers)
        self.apply(self.draw)

    def make(self, dim, layers):
        self.tok, self.pos = nn.Embedding(vocabulary, dim), nn.Embedding(12, dim)
        self.blocks = nn.ModuleList(Block(dim, self.flag) for _ in range(layers))
        self.close, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary, bias=False)

    def draw(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.close(x))


class FlagMisspelt(Model):
    def __init__(self, right=False):
        type(self).flag = "SCALE_INIT" if right else "SCALED_INIT"
        super().__init__(right)

    def draw(self, module):
        std = 0.02
        if hasattr(module, "SCALE_INIT"):
            std /= math.sqrt(2 * self.layers)
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=std)


class FlagWithoutModules(Model):
    """Nothing here has such a flag, nor one like it: an option of a base class."""

    def draw(self, module):
        super().draw(module)
        if getattr(module, "is_expert", False):
            nn.init.zeros_(module.weight)


class NameMisspelt(Model):
    def begin(self, dim, layers):
        super().begin(dim, layers)
        self.rescale() if self.right else self.rescale_none()

    def rescale(self):
        for name, p in self.named_parameters():
            if name.endswith("c_proj.weight"):
                nn.init.normal_(p, mean=0.0, std=0.02 / math.sqrt(2 * self.layers))

    def rescale_none(self):
        for name, p in self.named_parameters():
            if name.endswith("c_porj.weight"):
                nn.init.normal_(p, mean=0.0, std=0.02 / math.sqrt(2 * self.layers))


class BothNames(NameMisspelt):
    """Two names of one thing are looked for, as files do that take weights of others."""

    def begin(self, dim, layers):
        super().begin(dim, layers)
        self.rescale()


class DrawnTooEarly(Model):
    """The head is made behind the initialisation."""

    def __init__(self, right=False, dim=16):
        nn.Module.__init__(self)
        self.tok, self.pos = nn.Embedding(vocabulary, dim), nn.Embedding(12, dim)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(2))
        if not right:
            self.apply(self.draw)
        self.close, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary, bias=False)
        if right:
            self.apply(self.draw)


class OwnDraw(DrawnTooEarly):
    """What is made later is drawn by a call of its own."""

    def __init__(self):
        super().__init__()
        nn.init.normal_(self.head.weight, std=0.02)


class StatesChosen(nn.Module):
    """Each layer's rates start at the same numbers, as those of state spaces do; the rest is drawn."""

    def __init__(self, dim=16):
        super().__init__()
        self.tok = nn.Embedding(vocabulary, dim)
        self.blocks = nn.ModuleList(Rated(dim) for _ in range(3))
        self.close, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def forward(self, idx):
        x = self.tok(idx)
        for block in self.blocks:
            x = block(x)
        return self.head(self.close(x))


class Rated(Block):
    def __init__(self, dim):
        super().__init__(dim)
        self.rate_log = nn.Parameter(torch.log(torch.arange(1, dim + 1).float()))

    def forward(self, x):
        return super().forward(x * torch.exp(-self.rate_log.exp() * 0.01))

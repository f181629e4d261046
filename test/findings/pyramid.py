"""Blocks of pictures: norms of channels, and stages that run blocks."""
import torch
from torch import nn


class Channels(nn.Module):
    """LayerNorm over the channels of [B, C, H, W], written out."""

    def __init__(self, dim):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(1, dim, 1, 1))
        self.bias = nn.Parameter(torch.zeros(1, dim, 1, 1))

    def forward(self, x):
        var = torch.var(x, dim=1, unbiased=False, keepdim=True)
        mean = torch.mean(x, dim=1, keepdim=True)
        return (x - mean) / (var + 1e-5).sqrt() * self.gain + self.bias


norms = {
    "batch": nn.BatchNorm2d,
    "group": lambda dim: nn.GroupNorm(2, dim),
    "instance": lambda dim: nn.InstanceNorm2d(dim, affine=True),
    "channels": Channels,
}


class Block(nn.Module):
    def __init__(self, place, norm, dim=8):
        super().__init__()
        self.place = place
        self.norm = norms[norm](dim)
        self.mix = nn.Conv2d(dim, dim, 3, padding=1)
        self.out = nn.Conv2d(dim, dim, 1)

    def forward(self, x):
        if self.place == "post":
            return self.norm(x + self.out(self.mix(x)))
        if self.place == "within":
            return x + self.out(self.norm(self.mix(x)))
        return x + self.out(self.mix(self.norm(x)))


class Stages(nn.Module):
    """Two stages of two blocks each, which are modules of their own."""

    def __init__(self, place="pre", norm="batch"):
        super().__init__()
        blocks = [[Block(place, norm) for _ in range(2)] for _ in range(2)]
        self.stages = nn.ModuleList([nn.Sequential(*two) for two in blocks])
        self.down = nn.Conv2d(8, 8, 2, stride=2)

    def forward(self, x):
        for stage in self.stages:
            x = self.down(stage(x))
        return x


class Inner(nn.Module):
    """What attends, after a norm."""

    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x):
        q, k, v = self.qkv(self.norm(x)).chunk(3, dim=-1)
        return self.out(nn.functional.scaled_dot_product_attention(q, k, v))


class Encoder(nn.Module):
    """Adds up what it has in a list of lists."""

    def __init__(self, dim, depth):
        super().__init__()
        feed = [nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim)) for _ in range(depth)]
        self.layers = nn.ModuleList([nn.ModuleList([Inner(dim), it]) for it in feed])

    def forward(self, x):
        for attends, feeds in self.layers:
            x = attends(x) + x
            x = feeds(x) + x
        return x


class Turns(nn.Module):
    """An encoder of the picture's columns between two convolutions."""

    def __init__(self, depth):
        super().__init__()
        self.before, self.after = nn.Conv2d(8, 8, 3, padding=1), nn.Conv2d(8, 8, 1)
        self.encoder = Encoder(8, depth)

    def forward(self, x):
        x = self.before(x).permute(0, 3, 2, 1)
        return self.after(self.encoder(x).permute(0, 3, 2, 1))


class Mixed(nn.Module):
    """Blocks that are modules, and blocks that are not, in turn."""

    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList([Block("pre", "batch") for _ in range(2)])
        self.turns = nn.ModuleList([Turns(2), Turns(1)])

    def forward(self, x):
        for conv, turn in zip(self.convs, self.turns):
            x = turn(conv(x))
        return x

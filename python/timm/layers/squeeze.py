"""Channels that are weighted by what is in all places of an image, after arXiv:1709.01507 and arXiv:1911.06667."""

from torch import nn

from .helpers import make_divisible

_GATES = {"sigmoid": nn.Sigmoid, "hard_sigmoid": nn.Hardsigmoid}


class SEModule(nn.Module):
    """y = x · gate(fc2(act(fc1(mean of x over places)))), for x of [batch, channels, height, width]"""

    def __init__(
        self,
        channels,
        rd_ratio=1.0 / 16,
        rd_channels=None,
        rd_divisor=8,
        add_maxpool=False,
        bias=True,
        act_layer=nn.ReLU,
        norm_layer=None,
        gate_layer="sigmoid",
    ):
        super().__init__()
        self.add_maxpool = add_maxpool
        narrow = rd_channels or make_divisible(channels * rd_ratio, rd_divisor, round_limit=0.0)
        self.fc1 = nn.Conv2d(channels, narrow, kernel_size=1, bias=bias)
        self.bn = norm_layer(narrow) if norm_layer else nn.Identity()
        self.act = act_layer(inplace=True)
        self.fc2 = nn.Conv2d(narrow, channels, kernel_size=1, bias=bias)
        self.gate = _gate(gate_layer)

    def forward(self, x):
        narrow = self.act(self.bn(self.fc1(_pooled(x, self.add_maxpool))))
        return x * self.gate(self.fc2(narrow))


class EffectiveSEModule(nn.Module):
    """The same with one layer, which narrows nothing."""

    def __init__(self, channels, add_maxpool=False, gate_layer="hard_sigmoid", **_):
        super().__init__()
        self.add_maxpool = add_maxpool
        self.fc = nn.Conv2d(channels, channels, kernel_size=1, padding=0)
        self.gate = _gate(gate_layer)

    def forward(self, x):
        return x * self.gate(self.fc(_pooled(x, self.add_maxpool)))


def _pooled(x, add_maxpool):
    """The mean over all places, or halfway between it and the largest: [batch, channels, 1, 1]"""
    mean = x.mean((2, 3), keepdim=True)
    return 0.5 * mean + 0.5 * x.amax((2, 3), keepdim=True) if add_maxpool else mean


def _gate(layer):
    return _GATES[layer]() if isinstance(layer, str) else layer()


SqueezeExcite = SEModule
EffectiveSqueezeExcite = EffectiveSEModule

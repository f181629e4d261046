"""What files take of timm's EfficientNet."""

from torch import nn

from ..layers import make_divisible


class SqueezeExcite(nn.Module):
    """Channels times a gate of their means over the image."""

    def __init__(
        self,
        in_chs,
        rd_ratio=0.25,
        rd_channels=None,
        act_layer=nn.ReLU,
        gate_layer=nn.Sigmoid,
        force_act_layer=None,
        rd_round_fn=None,
    ):
        super().__init__()
        width = rd_channels or (rd_round_fn or round)(in_chs * rd_ratio)
        self.conv_reduce = nn.Conv2d(in_chs, width, 1, bias=True)
        self.act1 = (force_act_layer or act_layer)(inplace=True)
        self.conv_expand = nn.Conv2d(width, in_chs, 1, bias=True)
        self.gate = gate_layer()

    def forward(self, x):
        gate = self.act1(self.conv_reduce(x.mean((2, 3), keepdim=True)))
        return x * self.gate(self.conv_expand(gate))


__all__ = ["SqueezeExcite", "make_divisible"]

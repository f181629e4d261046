"""Parts of basicsr's networks, and a registry. The golden was recorded with basicsr 1.4.2 beside PyTorch."""
import torch
from basicsr.archs.arch_util import (
    ResidualBlockNoBN,
    Upsample,
    default_init_weights,
    flow_warp,
    make_layer,
    pixel_unshuffle,
    resize_flow,
    to_2tuple,
)
from basicsr.utils.registry import ARCH_REGISTRY
from torch import nn

GOLDEN = ("loss", "parameters")


@ARCH_REGISTRY.register()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(12, 4, to_2tuple(3), padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.body = make_layer(ResidualBlockNoBN, 2, num_feat=4, res_scale=0.5)
        self.up, self.more = Upsample(4, 4), Upsample(3, 4)
        default_init_weights([self.first, self.norm], 0.5, bias_fill=0.1)

    def forward(self, x, flow):
        x = self.body(self.norm(self.first(pixel_unshuffle(x, 2))))
        moved = flow_warp(x, resize_flow(flow, "ratio", (0.5, 0.5)).permute(0, 2, 3, 1))
        kept = flow_warp(x, resize_flow(flow, "shape", (3, 4)).permute(0, 2, 3, 1), "nearest", "border", False)
        return self.up(moved).mean((2, 3)) + self.more(x + kept).pow(2).mean((2, 3))


def build():
    assert "Net" in ARCH_REGISTRY and list(ARCH_REGISTRY.keys()) == ["Net"]
    return ARCH_REGISTRY.get("Net")()


def step(model):
    x = torch.arange(2 * 3 * 6 * 8).reshape(2, 3, 6, 8).cos()
    flow = torch.arange(2 * 2 * 6 * 8).reshape(2, 2, 6, 8).sin() * 1.3
    return model(x, flow).pow(2).mean()

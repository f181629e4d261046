"""Parts of networks that restore images [N, C, H, W]."""

import math

import torch
from timm.layers import (  # noqa: F401
    to_1tuple,
    to_2tuple,
    to_3tuple,
    to_4tuple,
    to_ntuple,
    trunc_normal_,
)
from torch import nn
from torch.nn import functional as F
from torch.nn.modules.batchnorm import _BatchNorm


@torch.no_grad()
def default_init_weights(module_list, scale=1, bias_fill=0, **kwargs):
    """Kaiming-normal matrices and kernels times `scale`, and biases of one number, within each module."""
    for module in module_list if isinstance(module_list, list) else [module_list]:
        for part in module.modules():
            if isinstance(part, _BatchNorm):
                nn.init.constant_(part.weight, 1)
            elif isinstance(part, (nn.Conv2d, nn.Linear)):
                nn.init.kaiming_normal_(part.weight, **kwargs).mul_(scale)
            else:
                continue
            if part.bias is not None:
                part.bias.fill_(bias_fill)


def make_layer(basic_block, num_basic_block, **kwarg):
    """The block several times, one after another."""
    return nn.Sequential(*(basic_block(**kwarg) for _ in range(num_basic_block)))


class ResidualBlockNoBN(nn.Module):
    """x + `res_scale` * conv(relu(conv(x)))"""

    def __init__(self, num_feat=64, res_scale=1, pytorch_init=False):
        super().__init__()
        self.res_scale = res_scale
        self.conv1 = nn.Conv2d(num_feat, num_feat, 3, 1, 1)
        self.conv2 = nn.Conv2d(num_feat, num_feat, 3, 1, 1)
        self.relu = nn.ReLU(inplace=True)
        if not pytorch_init:
            default_init_weights([self.conv1, self.conv2], 0.1)

    def forward(self, x):
        return x + self.conv2(self.relu(self.conv1(x))) * self.res_scale


class Upsample(nn.Sequential):
    """`scale` (3, or a power of 2) times as high and as wide."""

    def __init__(self, scale, num_feat):
        if scale == 3:
            steps = [3]
        elif scale & (scale - 1) == 0:
            steps = [2] * int(math.log2(scale))
        else:
            raise ValueError(f"scale {scale} is not supported. Supported scales: 2^n and 3.")
        parts = [
            (nn.Conv2d(num_feat, step**2 * num_feat, 3, 1, 1), nn.PixelShuffle(step))
            for step in steps
        ]
        super().__init__(*(it for pair in parts for it in pair))


def flow_warp(x, flow, interp_mode="bilinear", padding_mode="zeros", align_corners=True):
    """The image read where `flow` [N, H, W, 2] points to from each pixel, in pixels across and down."""
    height, width = x.shape[-2:]
    assert (height, width) == tuple(flow.shape[1:3])
    options = {"dtype": x.dtype, "device": x.device}
    down, across = torch.meshgrid(
        torch.arange(height, **options), torch.arange(width, **options), indexing="ij"
    )
    places = torch.stack((across, down), 2).float() + flow
    shares = torch.stack(
        (
            2.0 * places[..., 0] / max(width - 1, 1) - 1.0,
            2.0 * places[..., 1] / max(height - 1, 1) - 1.0,
        ),
        dim=3,
    )
    return F.grid_sample(
        x, shares, mode=interp_mode, padding_mode=padding_mode, align_corners=align_corners
    )


def resize_flow(flow, size_type, sizes, interp_mode="bilinear", align_corners=False):
    """A flow [N, 2, H, W] of another size: `sizes` are factors ("ratio") or pixels ("shape"), height first."""
    height, width = flow.shape[2:]
    if size_type == "ratio":
        size = (int(height * sizes[0]), int(width * sizes[1]))
    elif size_type == "shape":
        size = (sizes[0], sizes[1])
    else:
        raise ValueError(f"Size type should be ratio or shape, but got type {size_type}.")
    scaled = flow.clone()
    scaled[:, 0] *= size[1] / width
    scaled[:, 1] *= size[0] / height
    return F.interpolate(scaled, size=size, mode=interp_mode, align_corners=align_corners)


def pixel_unshuffle(x, scale):
    """Squares of `scale` pixels as channels."""
    return F.pixel_unshuffle(x, scale)

"""Images of half the size."""

import torch.nn.functional as F
from torch import nn

from .normalization import RMSNorm


def norm_of_channels(name, channels, eps, elementwise_affine):
    if name is None:
        return None
    if name == "ln_norm":
        return nn.LayerNorm(channels, eps, elementwise_affine)
    if name == "rms_norm":
        return RMSNorm(channels, eps, elementwise_affine)
    raise ValueError(f"unknown norm_type: {name}")


def normed_channels(norm, images):
    if norm is None:
        return images
    return norm(images.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class Downsample2D(nn.Module):
    """(B, C, H, W) → half as high and wide, by a convolution or by means."""

    def __init__(
        self,
        channels,
        use_conv=False,
        out_channels=None,
        padding=1,
        name="conv",
        kernel_size=3,
        norm_type=None,
        eps=None,
        elementwise_affine=None,
        bias=True,
    ):
        super().__init__()
        self.channels, self.out_channels = channels, out_channels or channels
        self.use_conv, self.padding, self.name = use_conv, padding, name
        self.norm = norm_of_channels(norm_type, channels, eps, elementwise_affine)
        if use_conv:
            conv = nn.Conv2d(
                channels, self.out_channels, kernel_size, stride=2, padding=padding, bias=bias
            )
        else:
            assert self.channels == self.out_channels
            conv = nn.AvgPool2d(kernel_size=2, stride=2)
        if name == "conv":
            # Two names of one module, as checkpoints have them.
            self.Conv2d_0 = conv
        self.conv = conv

    def forward(self, hidden_states, *args, **kwargs):
        assert hidden_states.shape[1] == self.channels
        x = normed_channels(self.norm, hidden_states)
        if self.use_conv and self.padding == 0:
            x = F.pad(x, (0, 1, 0, 1))
        return self.conv(x)

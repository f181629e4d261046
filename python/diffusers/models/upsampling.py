"""Images of twice the size."""

import torch.nn.functional as F
from torch import nn

from .downsampling import norm_of_channels, normed_channels


class Upsample2D(nn.Module):
    """(B, C, H, W) → twice as high and wide, or `output_size`, by nearest neighbours and a convolution."""

    def __init__(
        self,
        channels,
        use_conv=False,
        use_conv_transpose=False,
        out_channels=None,
        name="conv",
        kernel_size=None,
        padding=1,
        norm_type=None,
        eps=None,
        elementwise_affine=None,
        bias=True,
        interpolate=True,
    ):
        super().__init__()
        self.channels, self.out_channels = channels, out_channels or channels
        self.use_conv, self.use_conv_transpose = use_conv, use_conv_transpose
        self.name, self.interpolate = name, interpolate
        self.norm = norm_of_channels(norm_type, channels, eps, elementwise_affine)
        conv = None
        if use_conv_transpose:
            size = 4 if kernel_size is None else kernel_size
            conv = nn.ConvTranspose2d(
                channels, self.out_channels, size, stride=2, padding=padding, bias=bias
            )
        elif use_conv:
            size = 3 if kernel_size is None else kernel_size
            conv = nn.Conv2d(channels, self.out_channels, size, padding=padding, bias=bias)
        setattr(self, "conv" if name == "conv" else "Conv2d_0", conv)

    def forward(self, hidden_states, output_size=None, *args, **kwargs):
        assert hidden_states.shape[1] == self.channels
        x = normed_channels(self.norm, hidden_states)
        if self.use_conv_transpose:
            return self.conv(x)
        if self.interpolate and output_size is None:
            x = F.interpolate(x, scale_factor=2.0, mode="nearest")
        elif self.interpolate:
            x = F.interpolate(x, size=output_size, mode="nearest")
        if not self.use_conv:
            return x
        return self.conv(x) if self.name == "conv" else self.Conv2d_0(x)

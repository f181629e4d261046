"""The residual block of a UNet, with a timestep."""

from torch import nn

from .activations import get_activation
from .downsampling import Downsample2D
from .upsampling import Upsample2D


class ResnetBlock2D(nn.Module):
    """(shortcut(x) + conv₂(act(norm₂(conv₁(act(norm₁(x))) + t)))) / scale, or t as norm₂'s scale and shift."""

    def __init__(
        self,
        *,
        in_channels,
        out_channels=None,
        conv_shortcut=False,
        dropout=0.0,
        temb_channels=512,
        groups=32,
        groups_out=None,
        pre_norm=True,
        eps=1e-6,
        non_linearity="swish",
        skip_time_act=False,
        time_embedding_norm="default",
        kernel=None,
        output_scale_factor=1.0,
        use_in_shortcut=None,
        up=False,
        down=False,
        conv_shortcut_bias=True,
        conv_2d_out_channels=None,
    ):
        super().__init__()
        if kernel is not None:
            raise NotImplementedError(f"ResnetBlock2D: kernel {kernel!r} is not supported")
        if time_embedding_norm not in ("default", "scale_shift"):
            raise ValueError(f"unknown time_embedding_norm : {time_embedding_norm} ")
        out_channels = in_channels if out_channels is None else out_channels
        self.pre_norm = True
        self.in_channels, self.out_channels = in_channels, out_channels
        self.use_conv_shortcut, self.up, self.down = conv_shortcut, up, down
        self.output_scale_factor = output_scale_factor
        self.time_embedding_norm, self.skip_time_act = time_embedding_norm, skip_time_act
        self.norm1 = nn.GroupNorm(groups, in_channels, eps=eps)
        self.conv1 = nn.Conv2d(in_channels, out_channels, 3, padding=1)
        self.time_emb_proj = None
        if temb_channels is not None:
            count = 1 if time_embedding_norm == "default" else 2
            self.time_emb_proj = nn.Linear(temb_channels, count * out_channels)
        groups_out = groups if groups_out is None else groups_out
        self.norm2 = nn.GroupNorm(groups_out, out_channels, eps=eps)
        self.dropout = nn.Dropout(dropout)
        last = conv_2d_out_channels or out_channels
        self.conv2 = nn.Conv2d(out_channels, last, 3, padding=1)
        self.nonlinearity = get_activation(non_linearity)
        self.upsample = self.downsample = None
        if up:
            self.upsample = Upsample2D(in_channels, use_conv=False)
        elif down:
            self.downsample = Downsample2D(in_channels, use_conv=False, padding=1, name="op")
        self.use_in_shortcut = in_channels != last if use_in_shortcut is None else use_in_shortcut
        self.conv_shortcut = None
        if self.use_in_shortcut:
            self.conv_shortcut = nn.Conv2d(in_channels, last, 1, bias=conv_shortcut_bias)

    def forward(self, input_tensor, temb, *args, **kwargs):
        x = self.nonlinearity(self.norm1(input_tensor))
        skip, x = self._resized(input_tensor), self._resized(x)
        x = self._timed(self.conv1(x), temb)
        x = self.conv2(self.dropout(self.nonlinearity(x)))
        if self.conv_shortcut is not None:
            skip = self.conv_shortcut(skip)
        return (skip + x) / self.output_scale_factor

    def _resized(self, x):
        resize = self.upsample if self.upsample is not None else self.downsample
        return x if resize is None else resize(x)

    def _timed(self, x, temb):
        """norm₂, with the timestep before it or as its scale and shift."""
        if self.time_emb_proj is not None:
            temb = temb if self.skip_time_act else self.nonlinearity(temb)
            temb = self.time_emb_proj(temb)[:, :, None, None]
        if self.time_embedding_norm == "scale_shift":
            if temb is None:
                raise ValueError(
                    " `temb` should not be None when `time_embedding_norm` is scale_shift"
                )
            scale, shift = temb.chunk(2, dim=1)
            return self.norm2(x) * (1 + scale) + shift
        return self.norm2(x if temb is None else x + temb)

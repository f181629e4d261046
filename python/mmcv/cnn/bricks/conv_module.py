"""A convolution with its norm and activation."""

from mmengine.model import constant_init, kaiming_init
from torch import nn

from .build import build_activation_layer, build_conv_layer, build_norm_layer

# Those of PyTorch's activations that cannot replace what they take.
_NOT_IN_PLACE = ("Tanh", "PReLU", "Sigmoid", "HSigmoid", "Swish", "GELU")


class ConvModule(nn.Module):
    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias="auto",
        conv_cfg=None,
        norm_cfg=None,
        act_cfg={"type": "ReLU"},
        inplace=True,
        with_spectral_norm=False,
        padding_mode="zeros",
        order=("conv", "norm", "act"),
    ):
        super().__init__()
        self.conv_cfg, self.norm_cfg, self.act_cfg, self.order = conv_cfg, norm_cfg, act_cfg, order
        self.with_norm, self.with_activation = norm_cfg is not None, act_cfg is not None
        self.with_bias = not self.with_norm if bias == "auto" else bias
        self.conv = build_conv_layer(
            conv_cfg,
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=groups,
            bias=self.with_bias,
            padding_mode=padding_mode,
        )
        if with_spectral_norm:
            self.conv = nn.utils.spectral_norm(self.conv)
        self.norm_name = None
        if self.with_norm:
            comes_after = order.index("norm") > order.index("conv")
            self.norm_name, norm = build_norm_layer(
                norm_cfg, out_channels if comes_after else in_channels
            )
            self.add_module(self.norm_name, norm)
        if self.with_activation:
            self.activate = build_activation_layer(_act_cfg(act_cfg, inplace))
        self.init_weights()

    @property
    def norm(self):
        return getattr(self, self.norm_name) if self.norm_name else None

    def init_weights(self):
        """He's normal, and norms that change nothing."""
        if not hasattr(self.conv, "init_weights"):
            is_leaky = self.with_activation and self.act_cfg["type"] == "LeakyReLU"
            slope = self.act_cfg.get("negative_slope", 0.01) if is_leaky else 0
            kaiming_init(self.conv, a=slope, nonlinearity="leaky_relu" if is_leaky else "relu")
        if self.with_norm:
            constant_init(self.norm, 1, bias=0)

    def forward(self, x, activate=True, norm=True):
        for layer in self.order:
            if layer == "conv":
                x = self.conv(x)
            elif layer == "norm" and norm and self.with_norm:
                x = self.norm(x)
            elif layer == "act" and activate and self.with_activation:
                x = self.activate(x)
        return x


def _act_cfg(cfg, inplace):
    return dict(cfg) if cfg["type"] in _NOT_IN_PLACE else {"inplace": inplace, **cfg}


class DepthwiseSeparableConvModule(nn.Module):
    """A convolution of each channel, then one over channels."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        norm_cfg=None,
        act_cfg={"type": "ReLU"},
        dw_norm_cfg="default",
        dw_act_cfg="default",
        pw_norm_cfg="default",
        pw_act_cfg="default",
        **kwargs,
    ):
        super().__init__()

        def of(cfg, default):
            return default if cfg == "default" else cfg

        self.depthwise_conv = ConvModule(
            in_channels,
            in_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=in_channels,
            norm_cfg=of(dw_norm_cfg, norm_cfg),
            act_cfg=of(dw_act_cfg, act_cfg),
            **kwargs,
        )
        self.pointwise_conv = ConvModule(
            in_channels,
            out_channels,
            1,
            norm_cfg=of(pw_norm_cfg, norm_cfg),
            act_cfg=of(pw_act_cfg, act_cfg),
            **kwargs,
        )

    def forward(self, x):
        return self.pointwise_conv(self.depthwise_conv(x))

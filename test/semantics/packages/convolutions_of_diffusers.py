"""The residual blocks, the larger and smaller images, and the narrow layers of diffusers' UNets."""

import torch
from diffusers.models.downsampling import Downsample2D
from diffusers.models.lora import LoRACompatibleConv, LoRACompatibleLinear, LoRAConv2dLayer, LoRALinearLayer
from diffusers.models.resnet import ResnetBlock2D
from diffusers.models.upsampling import Upsample2D
from torch import nn

# Values within the package are its own affair.
GOLDEN = ("loss", "parameters", "modules")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        common = {"temb_channels": 5, "groups": 2}
        self.plain = ResnetBlock2D(in_channels=4, **common)
        self.wider = ResnetBlock2D(in_channels=4, out_channels=6, groups_out=3, conv_shortcut_bias=False, eps=1e-5, **common)
        self.scaled = ResnetBlock2D(in_channels=4, time_embedding_norm="scale_shift", skip_time_act=True, output_scale_factor=1.5, **common)
        self.up = ResnetBlock2D(in_channels=4, up=True, non_linearity="gelu", **common)
        self.down = ResnetBlock2D(in_channels=4, down=True, conv_2d_out_channels=3, **common)
        self.untimed = ResnetBlock2D(in_channels=4, temb_channels=None, groups=4, use_in_shortcut=True)
        self.ups = nn.ModuleList(
            [Upsample2D(4), Upsample2D(4, use_conv=True, out_channels=3), Upsample2D(4, use_conv_transpose=True)]
            + [Upsample2D(4, use_conv=True, name="other", norm_type="ln_norm", eps=1e-5, elementwise_affine=True)]
            + [Upsample2D(4, use_conv=True, interpolate=False, norm_type="rms_norm", eps=1e-5, elementwise_affine=False)]
        )
        self.downs = nn.ModuleList(
            [Downsample2D(4), Downsample2D(4, use_conv=True, padding=0, name="op")]
            + [Downsample2D(4, use_conv=True, out_channels=3, norm_type="ln_norm", eps=1e-5, elementwise_affine=True)]
        )
        self.linear = LoRACompatibleLinear(4, 3, lora_layer=LoRALinearLayer(4, 3, rank=2, network_alpha=3.0))
        self.conv = LoRACompatibleConv(4, 3, 3, padding=1)
        self.conv_lora = LoRACompatibleConv(4, 3, 3, padding=1, lora_layer=LoRAConv2dLayer(4, 3, 2, 3, padding=1))

    def forward(self, x, time):
        outputs = [it(x, time) for it in (self.plain, self.wider, self.scaled, self.up, self.down)]
        outputs += [self.untimed(x, None), self.ups[1](x, output_size=(5, 7))]
        outputs += [it(x) for it in [*self.ups, *self.downs, self.conv]]
        outputs += [self.linear(x.transpose(1, 3), 0.5), self.conv_lora(x, scale=2.0)]
        return sum(it.pow(2).mean() for it in outputs)


def build():
    torch.manual_seed(0)
    model = Model()
    with torch.no_grad():
        for lora in (model.linear.lora_layer, model.conv_lora.lora_layer):
            lora.up.weight.normal_()
    return model


def step(model):
    return model(torch.randn(2, 4, 6, 4), torch.randn(2, 5))

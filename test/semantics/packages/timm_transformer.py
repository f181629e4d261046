"""timm's vision transformer, and one derived from it. The golden was recorded with timm 1.0.29 beside PyTorch."""
from functools import partial

import torch
from timm.layers import PatchEmbed
from timm.models.vision_transformer import VisionTransformer
from torch import nn


class Derived(VisionTransformer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.last = self.norm
        del self.norm

    def forward_features(self, x):
        x = self._pos_embed(self.patch_embed(x))
        for block in self.blocks:
            x = block(x)
        return self.last(x[:, 1:].mean(1))

    def forward(self, x):
        return self.head(self.forward_features(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        small = dict(img_size=8, patch_size=4, embed_dim=16, depth=2, num_heads=2, num_classes=3)
        self.a = VisionTransformer(**small, reg_tokens=1, init_values=0.1, no_embed_class=True)
        self.b = VisionTransformer(**small, class_token=False, global_pool="avg", pre_norm=True, fix_init=True)
        self.c = Derived(**small, qkv_bias=True, norm_layer=partial(nn.LayerNorm, eps=1e-3))
        self.d = PatchEmbed(img_size=None, patch_size=3, embed_dim=16, output_fmt="NHWC", dynamic_img_pad=True)

    def forward(self, x):
        return self.a(x) + self.b(x) + self.c(x) + self.d(x).sum((1, 2))[:, :3]


def build():
    return Net()


def step(model):
    images = torch.arange(2 * 3 * 64).reshape(2, 3, 8, 8).sin()
    return model(images).pow(2).mean()

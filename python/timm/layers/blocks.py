"""Parts of a vision transformer."""

from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from .helpers import to_2tuple


def drop_path(x, drop_prob=0.0, training=False, scale_by_keep=True):
    """Drops whole samples of a branch; those that are kept are scaled to keep the mean."""
    if drop_prob == 0.0 or not training:
        return x
    keep = 1 - drop_prob
    kept = x.new_empty((x.shape[0],) + (1,) * (x.ndim - 1)).bernoulli_(keep)
    if keep > 0.0 and scale_by_keep:
        kept.div_(keep)
    return x * kept


class DropPath(nn.Module):
    def __init__(self, drop_prob=0.0, scale_by_keep=True):
        super().__init__()
        self.drop_prob = drop_prob
        self.scale_by_keep = scale_by_keep

    def forward(self, x):
        return drop_path(x, self.drop_prob, self.training, self.scale_by_keep)

    def extra_repr(self):
        return f"drop_prob={round(self.drop_prob, 3):0.3f}"


class LayerScale(nn.Module):
    def __init__(self, dim, init_values=1e-5, inplace=False, device=None, dtype=None):
        super().__init__()
        self.inplace = inplace
        self.gamma = nn.Parameter(torch.full((dim,), init_values, device=device, dtype=dtype))

    def forward(self, x):
        return x.mul_(self.gamma) if self.inplace else x * self.gamma


class RmsNorm(nn.RMSNorm):
    """Over the last axis, with timm's eps."""

    def __init__(self, channels, eps=1e-6, affine=True, device=None, dtype=None):
        super().__init__(channels, eps=eps, elementwise_affine=affine, device=device, dtype=dtype)


class LayerNorm(nn.LayerNorm):
    """Over the last axis, with timm's eps."""

    def __init__(self, num_channels, eps=1e-6, affine=True, **options):
        super().__init__(num_channels, eps=eps, elementwise_affine=affine, **options)


class LayerNorm2d(nn.LayerNorm):
    """Normalizes the channels of images [B, C, H, W]."""

    def __init__(self, num_channels, eps=1e-6, affine=True, **options):
        super().__init__(num_channels, eps=eps, elementwise_affine=affine, **options)

    def forward(self, x):
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class Mlp(nn.Module):
    def __init__(
        self,
        in_features,
        hidden_features=None,
        out_features=None,
        act_layer=nn.GELU,
        norm_layer=None,
        bias=True,
        drop=0.0,
        use_conv=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        options = {"device": device, "dtype": dtype}
        hidden = hidden_features or in_features
        biases, drops = to_2tuple(bias), to_2tuple(drop)
        linear = partial(nn.Conv2d, kernel_size=1) if use_conv else nn.Linear
        self.fc1 = linear(in_features, hidden, bias=biases[0], **options)
        self.act = act_layer()
        self.drop1 = nn.Dropout(drops[0])
        self.norm = nn.Identity() if norm_layer is None else norm_layer(hidden, **options)
        self.fc2 = linear(hidden, out_features or in_features, bias=biases[1], **options)
        self.drop2 = nn.Dropout(drops[1])

    def forward(self, x):
        x = self.norm(self.drop1(self.act(self.fc1(x))))
        return self.drop2(self.fc2(x))


class PatchEmbed(nn.Module):
    """Images [B, C, H, W] as patches [B, N, embed_dim], or [B, embed_dim, H', W'] without `flatten`."""

    def __init__(
        self,
        img_size=224,
        patch_size=16,
        in_chans=3,
        embed_dim=768,
        norm_layer=None,
        flatten=True,
        output_fmt=None,
        bias=True,
        strict_img_size=True,
        dynamic_img_pad=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        options = {"device": device, "dtype": dtype}
        self.patch_size = to_2tuple(patch_size)
        self.img_size = self.grid_size = self.num_patches = None
        if img_size is not None:
            self.img_size = to_2tuple(img_size)
            self.grid_size = tuple(s // p for s, p in zip(self.img_size, self.patch_size))
            self.num_patches = self.grid_size[0] * self.grid_size[1]
        # NCHW is how the convolution leaves them, NHWC has channels last.
        self.output_fmt = output_fmt or "NCHW"
        self.flatten = flatten and output_fmt is None
        self.dynamic_img_pad = dynamic_img_pad
        self.strict_img_size = strict_img_size
        self.proj = nn.Conv2d(in_chans, embed_dim, patch_size, patch_size, bias=bias, **options)
        self.norm = norm_layer(embed_dim, **options) if norm_layer else nn.Identity()

    def forward(self, x):
        for name, size, wanted, patch in zip(
            ("height", "width"), x.shape[2:], self.img_size or (None, None), self.patch_size
        ):
            if wanted is not None and self.strict_img_size:
                assert size == wanted, f"Input {name} ({size}) doesn't match model ({wanted})."
            elif wanted is not None and not self.dynamic_img_pad:
                assert size % patch == 0, (
                    f"Input {name} ({size}) should be divisible by patch size ({patch})."
                )
        if self.dynamic_img_pad:
            bottom, right = ((-s) % p for s, p in zip(x.shape[2:], self.patch_size))
            x = F.pad(x, (0, right, 0, bottom))
        x = self.proj(x)
        if self.flatten:
            x = x.flatten(2).transpose(1, 2)
        elif self.output_fmt != "NCHW":
            x = x.permute(0, 2, 3, 1)
            x = x if self.output_fmt == "NHWC" else x.flatten(1, 2)
        return self.norm(x)

"""Transforms as model files compose them, of tensors; others can be made, and are refused when they are called."""

import sys

import torch
from normscope_boot.imports import give_placeholders
from torch import nn
from torch._unsupported import unsupported

from . import functional
from .functional import InterpolationMode  # noqa: F401


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for transform in self.transforms:
            img = transform(img)
        return img

    def __repr__(self):
        inner = "".join(f"\n    {it}" for it in self.transforms)
        return f"Compose({inner}\n)"


class Lambda:
    def __init__(self, lambd):
        self.lambd = lambd

    def __call__(self, img):
        return self.lambd(img)


class ToTensor:
    def __call__(self, pic):
        return functional.to_tensor(pic)


class Normalize(nn.Module):
    def __init__(self, mean, std, inplace=False):
        super().__init__()
        self.mean, self.std, self.inplace = mean, std, inplace

    def forward(self, tensor):
        return functional.normalize(tensor, self.mean, self.std, self.inplace)


class Resize(nn.Module):
    def __init__(
        self, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True
    ):
        super().__init__()
        self.size, self.interpolation, self.max_size, self.antialias = (
            size,
            interpolation,
            max_size,
            antialias,
        )

    def forward(self, img):
        return functional.resize(img, self.size, self.interpolation, self.max_size, self.antialias)


class CenterCrop(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, img):
        return functional.center_crop(img, self.size)


class Pad(nn.Module):
    def __init__(self, padding, fill=0, padding_mode="constant"):
        super().__init__()
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode

    def forward(self, img):
        return functional.pad(img, self.padding, self.fill, self.padding_mode)


class _Flip(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def forward(self, img):
        return self.flipped(img) if torch.rand(1) < self.p else img


class RandomHorizontalFlip(_Flip):
    flipped = staticmethod(functional.hflip)


class RandomVerticalFlip(_Flip):
    flipped = staticmethod(functional.vflip)


class RandomCrop(nn.Module):
    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        super().__init__()
        self.size = (size, size) if isinstance(size, int) else tuple(size)
        self.padding, self.pad_if_needed, self.fill, self.padding_mode = (
            padding,
            pad_if_needed,
            fill,
            padding_mode,
        )

    def forward(self, img):
        if self.pad_if_needed:
            raise unsupported("torchvision.transforms.RandomCrop with pad_if_needed")
        if self.padding is not None:
            img = functional.pad(img, self.padding, self.fill, self.padding_mode)
        (height, width), (rows, columns) = img.shape[-2:], self.size
        if (height, width) == self.size:
            return img
        top = torch.randint(0, height - rows + 1, size=(1,)).item()
        left = torch.randint(0, width - columns + 1, size=(1,)).item()
        return functional.crop(img, top, left, rows, columns)


class Grayscale(nn.Module):
    def __init__(self, num_output_channels=1):
        super().__init__()
        self.num_output_channels = num_output_channels

    def forward(self, img):
        return functional.rgb_to_grayscale(img, self.num_output_channels)


class ConvertImageDtype(nn.Module):
    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def forward(self, image):
        return functional.convert_image_dtype(image, self.dtype)


class _Refused(nn.Module):
    """Is made like the real one, so that pipelines of data can stand in a model's file."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, *args):
        raise unsupported(f"torchvision.transforms.{type(self).__name__}")


for _name in (
    "AutoAugment ColorJitter FiveCrop GaussianBlur PILToTensor RandAugment RandomAdjustSharpness RandomAffine "
    "RandomApply RandomChoice RandomErasing RandomGrayscale RandomPerspective RandomResizedCrop RandomRotation "
    "RandomSolarize TenCrop ToPILImage TrivialAugmentWide"
).split():
    globals()[_name] = type(_name, (_Refused,), {"__module__": __name__})

give_placeholders(sys.modules[__name__])

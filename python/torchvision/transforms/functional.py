"""Transforms of tensors [..., channels, height, width]. Images of other kinds are not here."""

from enum import Enum

import torch
from torch._unsupported import unsupported
from torch.nn import functional as F


class InterpolationMode(Enum):
    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    # Of PIL's pictures alone: tensors are refused.
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


def to_tensor(pic):
    """[height, width, channels] of bytes or numbers becomes [channels, height, width], bytes from 0 to 1."""
    if isinstance(pic, torch.Tensor) or not hasattr(pic, "__torch_tensor__"):
        raise unsupported(f"torchvision's to_tensor of a {type(pic).__name__}")
    x = torch.as_tensor(pic)
    x = (x if x.dim() == 3 else x.unsqueeze(-1)).permute(2, 0, 1).contiguous()
    return x.to(torch.get_default_dtype()).div(255) if x.dtype == torch.uint8 else x


def normalize(tensor, mean, std, inplace=False):
    if not tensor.is_floating_point():
        raise TypeError(f"Input tensor should be a float tensor. Got {tensor.dtype}.")
    mean, std = (torch.as_tensor(it, dtype=tensor.dtype) for it in (mean, std))
    if (std == 0).any():
        raise ValueError(
            f"std evaluated to zero after conversion to {tensor.dtype}, leading to division by zero."
        )
    mean, std = (it.view(-1, 1, 1) if it.dim() == 1 else it for it in (mean, std))
    made = tensor if inplace else tensor.clone()
    return made.sub_(mean).div_(std)


def resize(img, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
    height, width = img.shape[-2:]
    size = [size] if isinstance(size, int) else list(size)
    if len(size) == 1:
        size = _shorter_side(height, width, size[0], max_size)
    if [height, width] == size:
        return img
    mode = interpolation.value
    smooth = mode in ("bilinear", "bicubic")
    x = img if img.dim() >= 4 else img.unsqueeze(0)
    x = x if x.is_floating_point() else x.float()
    made = F.interpolate(
        x,
        size=size,
        mode=mode,
        align_corners=False if smooth else None,
        antialias=bool(antialias) and smooth,
    )
    made = made if img.dim() >= 4 else made.squeeze(0)
    if img.is_floating_point():
        return made
    return (made.clamp(0, 255) if mode == "bicubic" else made).round().to(img.dtype)


def _shorter_side(height, width, wanted, max_size):
    short, long = min(height, width), max(height, width)
    stretched = int(wanted * long / short)
    if max_size is not None and stretched > max_size:
        wanted, stretched = int(max_size * wanted / stretched), max_size
    return [wanted, stretched] if height <= width else [stretched, wanted]


def crop(img, top, left, height, width):
    return img[..., top : top + height, left : left + width]


def center_crop(img, output_size):
    rows, columns = (
        (output_size, output_size)
        if isinstance(output_size, int)
        else (*output_size, *output_size)[:2]
    )
    height, width = img.shape[-2:]
    if columns > width or rows > height:
        left, top = max((columns - width) // 2, 0), max((rows - height) // 2, 0)
        right, bottom = max((columns - width + 1) // 2, 0), max((rows - height + 1) // 2, 0)
        img = F.pad(img, (left, right, top, bottom))
        height, width = img.shape[-2:]
    return crop(
        img, int(round((height - rows) / 2.0)), int(round((width - columns) / 2.0)), rows, columns
    )


def hflip(img):
    return img.flip(-1)


def vflip(img):
    return img.flip(-2)


def pad(img, padding, fill=0, padding_mode="constant"):
    sides = [padding] if isinstance(padding, int) else list(padding)
    left, top, right, bottom = {1: sides * 4, 2: sides * 2, 4: sides}[len(sides)]
    options = {"value": float(fill)} if padding_mode == "constant" else {}
    return F.pad(img, (left, right, top, bottom), mode=_PADDING[padding_mode], **options)


_PADDING = {"constant": "constant", "edge": "replicate", "reflect": "reflect"}


def rgb_to_grayscale(img, num_output_channels=1):
    r, g, b = img.unbind(-3)
    gray = (0.2989 * r + 0.587 * g + 0.114 * b).to(img.dtype).unsqueeze(-3)
    return gray.expand(img.shape) if num_output_channels == 3 else gray


def convert_image_dtype(image, dtype=torch.float32):
    if image.dtype == dtype or image.is_floating_point() == dtype.is_floating_point:
        return image.to(dtype)
    if dtype.is_floating_point:
        return image.to(dtype) / torch.iinfo(image.dtype).max
    return image.mul(torch.iinfo(dtype).max + 1.0 - 1e-3).to(dtype)

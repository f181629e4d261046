"""Images of another size."""

from torch import nn
from torch.nn import functional as F


def resize(input, size=None, scale_factor=None, mode="nearest", align_corners=None, warning=True):
    size = tuple(int(it) for it in size) if hasattr(size, "__len__") else size
    return F.interpolate(input, size, scale_factor, mode, align_corners)


class Upsample(nn.Module):
    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None):
        super().__init__()
        self.size, self.mode, self.align_corners = size, mode, align_corners
        is_pair = isinstance(scale_factor, tuple)
        scales = tuple(map(float, scale_factor)) if is_pair else scale_factor
        self.scale_factor = float(scales) if scales and not is_pair else scales

    def forward(self, x):
        if self.size is None:
            size = [int(it * self.scale_factor) for it in x.shape[-2:]]
        else:
            size = self.size
        return resize(x, size, None, self.mode, self.align_corners)

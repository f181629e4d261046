"""A result keeps the order of what it was computed of: that decides which reshapes are views of it."""
import torch
from torch import nn


GOLDEN = ("buffers", "parameters", "modules")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 24).view(2, 3, 4))
        table = torch.arange(24.0).view(2, 3, 4).transpose(0, 1) + 1
        table.transpose(0, 1).view(6, 4)[1] = 0.5
        table.reshape(24)[:3] = 100.0
        self.register_buffer("table", table)
        self.register_buffer("shown", table.as_strided((3, 4), (1, 5), 2))

    def forward(self):
        turned = self.w.transpose(0, 1) * 2
        turned.transpose(0, 1).reshape(6, 4).mul_(3)
        turned.reshape(6, 4).add_(100)
        turned.as_strided((2, 3), (7, 2), 1).neg_()
        twice = torch.where(self.table > 5, turned, self.table)
        twice.permute(1, 0, 2).view(24)[::5] = 0.25
        filled = torch.zeros_like(twice)
        filled.as_strided((24,), (1,)).copy_(torch.arange(24.0))
        refused = 0.0
        for shape in [(6, 4), (3, 8), (24,)]:
            try:
                refused = refused + twice.view(shape).sum()
            except RuntimeError:
                refused = refused + turned.sum()
        flat = twice.contiguous()
        flat.view(-1)[:2] = 3.0
        copied = twice.clone()
        copied.permute(1, 0, 2).view(-1)[:2] = 4.0
        kept = twice * filled + copied * self.shown.sum()
        return (kept * self.w.permute(1, 0, 2)).sum() + refused + (flat * twice).sum()


def build():
    return Model()


def step(model):
    return model()

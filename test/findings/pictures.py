"""Pictures that are cut into tokens, and tokens that become pictures, wrongly and rightly (`right=True`)."""
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.up, self.down = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(self.n1(x)).reshape(B, T, 3, 2, D // 2).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, D)
        x = x + self.proj(y)
        return x + self.down(F.gelu(self.up(self.n2(x))))


class Picture(nn.Module):
    patch, tokens, channels = 8, 16, 3

    def __init__(self, right=False, image_size=32, dim=24, classes=10):
        super().__init__()
        self.right, size = right, self.channels * self.patch**2
        self.map = self.first_map(size, dim)
        self.places = nn.Parameter(torch.randn(1, self.tokens, dim) * 0.02)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(2))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, classes)

    def first_map(self, size, dim):
        return nn.Linear(size, dim)

    def forward(self, image):
        x = self.cut(image, *image.shape) + self.places
        for block in self.blocks:
            x = block(x)
        return self.end(self.norm(x))

    def end(self, x):
        return self.head(x.mean(dim=1))


class ByView(Picture):
    def cut(self, image, B, C, H, W):
        p = self.patch
        if self.right:
            image = image.view(B, C, H // p, p, W // p, p).permute(0, 2, 4, 1, 3, 5)
        return self.map(image.reshape(B, self.tokens, C * p * p))


class ByTwoViews(Picture):
    def cut(self, image, B, C, H, W):
        p = self.patch
        cells = image.reshape(B, C, H // p, p, W // p, p)
        if self.right:
            cells = torch.einsum("bchpwq->bhwpqc", cells)
        patches = cells.reshape(B, (H // p) * (W // p), -1)
        return F.linear(patches, self.map.weight, self.map.bias)


class Convolved(Picture):
    def first_map(self, size, dim):
        return nn.Conv2d(self.channels, dim, self.patch, self.patch)


class OfConvolution(Convolved):
    def cut(self, image, B, C, H, W):
        x = self.map(image)
        if self.right:
            return x.flatten(2).transpose(1, 2)
        return x.reshape(B, self.tokens, -1)


class OfUnfolding(Picture):
    def cut(self, image, B, C, H, W):
        x = F.unfold(image, self.patch, stride=self.patch)
        x = x.transpose(1, 2) if self.right else x.view(B, x.shape[2], x.shape[1])
        return self.map(x)


class ToPicture(Convolved):
    """Gives a picture back, as autoencoders and denoisers do."""

    def __init__(self, right=False, image_size=32, dim=24):
        super().__init__(right, image_size, dim, 3 * 64)

    def cut(self, image, B, C, H, W):
        return self.map(image).flatten(2).transpose(1, 2)

    def end(self, x):
        x = self.head(x)
        if not self.right:
            return x.reshape(x.shape[0], 3, 32, 32)
        x = x.reshape(x.shape[0], 4, 4, 8, 8, 3)
        return torch.einsum("nhwpqc->nchpwq", x).reshape(x.shape[0], 3, 32, 32)


class ToFeatures(ToPicture):
    def __init__(self, right=False, image_size=32, dim=24):
        super().__init__(right, image_size, dim)
        self.up = nn.ConvTranspose2d(3 * 64, 3, 8, 8)

    def end(self, x):
        x = self.head(x)
        x = x.transpose(1, 2) if self.right else x
        return self.up(x.reshape(x.shape[0], -1, 4, 4))


class RowsAsTokens(Picture):
    """Each row of each channel is a token: no axis has to move."""

    def first_map(self, size, dim):
        return nn.Linear(32, dim)

    def forward(self, image: torch.Tensor):
        return self.end(self.map(image.view(image.shape[0], 96, 32)))

"""Half precision is rounded between the kernels of one call, and backward sees what was rounded."""
import torch
import torch.nn.functional as F
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum(
        (t.float() * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors
    )


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.x = nn.Parameter(torch.randn(2, 4, 4))
        self.y = nn.Parameter(torch.randn(2, 4, 4))
        self.images = nn.Parameter(torch.randn(2, 3, 3, 2))
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)

    def forward(self):
        x, y = self.x.bfloat16(), self.y.bfloat16()
        attended = F.scaled_dot_product_attention(x, y, x)
        normed = F.layer_norm(x, [4]) + F.group_norm(y, 2)
        shares = x.softmax(-1), y.log_softmax(-1)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            both = self.attention(self.x, self.x, self.x)
            alone = self.attention(self.x, self.x, self.x, need_weights=False)[0]
        return mix(attended, normed, *shares, *both, alone, *self.alone())

    def alone(self):
        """Of these the results are looked at, without their gradients."""
        x, y = self.x.detach().bfloat16(), self.y.detach().bfloat16()
        images = self.images.detach().bfloat16()
        yield F.batch_norm(images, None, None, training=True)
        yield F.normalize(x)
        yield F.cosine_similarity(x, y)
        yield F.pairwise_distance(x, y)
        yield F.tanhshrink(x)
        yield torch.linalg.vecdot(x, y)
        yield x**3
        with torch.autocast("cpu", dtype=torch.bfloat16):
            double = [torch.ones(n, 3, dtype=torch.float64) / 3 for n in (1, 1)]
            yield F.bilinear(*double, torch.ones(2, 3, 3, dtype=torch.float64) / 7)


def build():
    return Model()


def step(model):
    return model()

"""Results that PyTorch gives as views of what nobody holds: hooks from before an edit hear nothing."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        q, k = self.q(x).view(4, 2, 2, 4), self.k(x).view(4, 2, 2, 4)
        scores = torch.einsum("ibhd,jbhd->bhij", q, k)
        scores *= 0.5
        used_before = torch.einsum("ibhd,ibhd->ibh", q, k)
        used_before.register_hook(lambda grad: grad * 3)
        twice = used_before * 3
        used_before += 1
        used_before.register_hook(lambda grad: grad * 5)
        used_before[0] = 2
        product = q.flatten(0, 2) @ k.flatten(0, 2).T
        product *= 0.5
        pooled = torch.nn.functional.avg_pool1d(q.flatten(1, 2), 2)
        pooled.mul_(2)
        return mix(scores.softmax(-1), twice, used_before.cos(), product.tanh(), pooled.cos())


def build():
    torch.manual_seed(0)
    return Model()


def step(model):
    return model(torch.arange(64.0).view(4, 2, 8).cos())

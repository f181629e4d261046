"""Keys and values written into a cache: by slices, by index_copy_, by positions, by scatter_."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(6, 6, bias=False)
        self.register_buffer("cache", torch.zeros(2, 8, 6))

    def write(self, cache, keys, start):
        length = keys.shape[1]
        sliced = cache.clone()
        sliced[:, start : start + length] = keys
        copied = cache.clone().index_copy_(1, torch.arange(start, start + length), keys)
        positions = torch.arange(start, start + length)
        placed = cache.clone()
        placed[:, positions] = keys
        index = positions.view(1, -1, 1).expand_as(keys)
        scattered = cache.clone().scatter_(1, index, keys)
        joined = torch.cat([cache[:, :start], keys, cache[:, start + length :]], dim=1)
        return torch.stack([sliced, copied, placed, scattered, joined]).mean(0)

    def forward(self):
        x = torch.linspace(-1, 1, 60).view(2, 5, 6)
        cache = self.cache
        for start, stop in ((0, 3), (3, 4), (4, 5)):
            cache = self.write(cache, self.project(x[:, start:stop]), start)
        length = int((cache.abs().sum(-1) > 0).sum(-1).max())
        seen = cache[:, :length]
        attention = (seen @ seen.transpose(1, 2)).tril().softmax(-1) @ seen
        return (attention * torch.linspace(-1, 2, 60).view(2, 5, 6)).sum()


def build():
    return Model()


def step(model):
    return model()

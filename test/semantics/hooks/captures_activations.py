"""The usual probe: forward hooks that store what modules gave, used in the loss."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = {}
        self.layers = nn.Sequential(nn.Linear(3, 4), nn.GELU(), nn.Linear(4, 2))
        for name, layer in self.layers.named_children():
            layer.register_forward_hook(self.keep(name))

    def keep(self, name):
        def hook(module, args, out):
            self.seen[name] = out
        return hook

    def forward(self, x):
        return mix(self.layers(x), self.seen["1"] ** 2, self.seen["0"].detach())


def build():
    return Model()


def step(model):
    return model(torch.linspace(-1, 1, 6).view(2, 3))

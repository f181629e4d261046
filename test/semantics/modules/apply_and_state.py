"""apply, named_modules, state_dict, load_state_dict and deepcopy in construction."""
import copy

import torch
from torch import nn


def damp(module):
    if isinstance(module, nn.Linear):
        nn.init.constant_(module.bias, 0.5)
        module.weight.data.mul_(0.5)


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
        self.layers = nn.ModuleList(copy.deepcopy(layer) for _ in range(2))
        self.apply(damp)
        state = {k: v * 2 for k, v in layer.state_dict().items()}
        self.layers[1].load_state_dict(state)
        self.n = sum(p.numel() for p in self.parameters()) + len(list(self.named_modules()))

    def forward(self):
        x = torch.linspace(-1, 1, 6).view(2, 3)
        for layer in self.layers:
            x = layer(x)
        return mix(x) * self.n


def build():
    return Model()


def step(model):
    return model()

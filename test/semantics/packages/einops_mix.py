"""Weights that mix axes of their own choice: EinMix with brackets, an ellipsis, biases, and without any."""
import torch
from einops.layers.torch import EinMix
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = EinMix("b n (h d) -> b n (h e)", weight_shape="h d e", bias_shape="h e", h=2, d=3, e=2)
        self.tokens = EinMix("b n c -> b m c", "n m", "m", n=4, m=5)
        self.scale = EinMix("... c -> ... c", weight_shape="c", c=4)
        self.split = EinMix("b m (g c) -> b (m k) g", "c k g", g=2, c=2, k=3)
        self.last = EinMix("... c -> (...) o", "c o", "o", c=2, o=3)

    def forward(self, x):
        return self.last(self.split(self.scale(self.tokens(self.heads(x)))))


def build():
    model = Model()
    print(model)
    return model


def step(model):
    return model(torch.linspace(-1, 1, 48).view(2, 4, 6)).square().mean()


# What an edit in place of einsum's result leaves of its own gradient is a matter of how the product is laid out.
GOLDEN = ("parameters", "modules")

"""Backward hooks of modules with several inputs and outputs, of shared ones, beside hooks of tensors, removed before backward."""
import torch
from torch import nn


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = nn.Linear(3, 3)

    def forward(self, x, y, scale):
        return self.a(x) + self.b(y), self.a(y) * scale, x * 2, None


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)

    def forward(self, x):
        return {"out": self.a(x)}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.two = Two()
        self.named = Named()
        self.last = nn.Linear(3, 1)
        self.named.register_full_backward_hook(lambda m, given, grads: (given[0] * 9,))
        self.two.register_full_backward_hook(self.halve)
        self.two.register_full_backward_pre_hook(self.shift)
        self.last.register_full_backward_pre_hook(lambda m, grads: (grads[0] * 1.5,))
        self.last.register_full_backward_hook(lambda m, given, grads: None)

    @staticmethod
    def halve(module, given, grads):
        assert given[2] is None and grads[2] is None
        return given[0] * 0.5, given[1] + grads[0].mean(), None

    @staticmethod
    def shift(module, grads):
        return grads[0] + 1, grads[1] * 2, *grads[2:]

    def forward(self, x):
        handle = self.first.register_full_backward_hook(lambda m, given, grads: (given[0] * 3,))
        x = self.first(x).tanh()
        handle.remove()
        for _ in range(2):
            made = self.two(x, x * x, 0.7)
            x = made[0] + made[1].exp()
        x = self.named(x)["out"]
        y = self.last(x)
        y.register_hook(lambda grad: grad + 0.01)
        return y.square().mean()


def build():
    return Model()


def step(model):
    return model(torch.linspace(-1, 1, 6).view(2, 3).requires_grad_())



# PyTorch gives other gradients while hooks of others watch the outputs.
GOLDEN = ("parameters",)

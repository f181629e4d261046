"""Hooks after a gradient was accumulated: what they make of .grad, in place or anew, is the gradient."""
import torch
from torch import nn

GOLDEN = ("buffers", "parameters")


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


def clipped(p):
    p.grad.clamp_(-0.5, 0.5)


def normalised(p):
    p.grad = p.grad / p.grad.norm()


def tripled(p):
    p.grad.mul_(3)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.w = nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))
        self.fc.weight.register_post_accumulate_grad_hook(clipped)
        self.fc.bias.register_post_accumulate_grad_hook(normalised)
        self.w.register_hook(lambda g: g * 2)
        self.w.register_post_accumulate_grad_hook(tripled)
        self.w.register_post_accumulate_grad_hook(clipped).remove()

    def forward(self):
        x = torch.linspace(-1, 1, 6).view(2, 3)
        return mix(self.fc(x) * self.w)


def build():
    return Model()


def step(model):
    return model()

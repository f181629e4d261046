"""What is drawn for a tensor fills its memory, in whose order that is."""
import torch
import torch.nn.functional as F
from torch import nn

MODE = "train"


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(0.1, 0.9, 40).view(4, 2, 5))
        self.register_buffer("start", torch.randn_like(torch.ones(5, 4).t()))
        self.register_buffer("even", torch.rand_like(torch.ones(5, 4).t() * 2))

    def forward(self):
        turned = self.w.transpose(0, 2) * 1.5
        noise = torch.rand_like(turned)
        normal = torch.randn_like(turned.detach())
        counts = torch.randint_like(turned.detach(), 7)
        flips = torch.bernoulli(turned.detach() / 2)
        drawn = torch.empty_like(turned).uniform_(-1, 1)
        picked = torch.zeros_like(turned).bernoulli_(0.5)
        kept = F.dropout(turned.exp(), 0.3) + F.dropout(turned[::2].repeat(1, 1, 1), 0.3).sum()
        total = noise * normal + counts * flips + drawn * picked + kept
        return (total * self.w.permute(2, 1, 0)).sum() + self.start.sum() * self.even[0].sum()


def build():
    return Model()


def step(model):
    return model()

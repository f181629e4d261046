"""Gradients that the loss is made of: a penalty on them, a descent within the step, Jacobians of a part."""
import torch
from torch import nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.energy = nn.Sequential(nn.Linear(4, 6), nn.Softplus(), nn.LayerNorm(6), nn.Linear(6, 1))
        self.start = nn.Parameter(torch.linspace(-1, 1, 4))
        self.rate = nn.Parameter(torch.tensor(0.3))

    def forward(self, x):
        x = x.clone().requires_grad_(True)
        out = self.energy(x)
        (slope,) = torch.autograd.grad(out.sum(), x, create_graph=True)
        penalty = (slope.norm(dim=-1) - 1).square().mean()
        place = self.start
        for _ in range(2):
            height = F.softmax(self.energy[0](place), -1).square().sum()
            place = place - self.rate * torch.autograd.grad(height, place, create_graph=True)[0]
        # What is not to be differentiated ends here.
        (flat,) = torch.autograd.grad(place.exp().sum(), place, retain_graph=True)
        unused = torch.autograd.grad(place.sum(), [place, x], allow_unused=True, retain_graph=True)
        return penalty + place.pow(3).sum() + (flat * place).sum() + unused[0].sum() + out.mean()


def build():
    return Model()


def step(model):
    x = torch.linspace(-2, 2, 12).view(3, 4)
    return model(x)


GOLDEN = ("parameters", "modules")

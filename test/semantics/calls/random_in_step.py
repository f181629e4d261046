"""Random numbers drawn in the step, in order, after those of construction."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self):
        x = (
            torch.rand(2, 3), torch.randn(2, 3), torch.randint(0, 9, (2, 3)),
            torch.randperm(6).view(2, 3),
        )
        like = (
            torch.rand_like(x[0]), torch.randn_like(x[1]), torch.bernoulli(x[0]),
            x[0].clone().uniform_(-1, 1),
        )
        more = (
            torch.normal(0.0, 2.0, (2, 3)), torch.empty(2, 3).normal_(1, 0.5),
            torch.randn(5, 4)[:2, :3],
        )
        drawn = torch.multinomial(torch.tensor([[0.1, 0.6, 0.3], [0.5, 0.25, 0.25]]), 3)
        return mix(*(self.fc(t.float()) for t in (*x, *like, *more, drawn)))


def build():
    return Model()


def step(model):
    return model()

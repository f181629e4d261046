"""Every initialiser, in order from one generator."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        fills = [nn.init.uniform_, nn.init.normal_, nn.init.xavier_uniform_, nn.init.xavier_normal_]
        fills += [nn.init.kaiming_uniform_, nn.init.kaiming_normal_, nn.init.trunc_normal_]
        fills += [nn.init.orthogonal_, nn.init.zeros_, nn.init.ones_, nn.init.eye_]
        self.filled = nn.ParameterList([nn.Parameter(fill(torch.empty(4, 3))) for fill in fills])
        self.w = nn.Parameter(torch.empty(3, 40))
        nn.init.normal_(self.w, mean=1.0, std=0.02)
        self.v = nn.Parameter(nn.init.kaiming_uniform_(torch.empty(3, 3), a=5**0.5))
        nn.init.trunc_normal_(self.v, std=0.02, a=-0.04, b=0.04)
        self.c = nn.Parameter(nn.init.constant_(torch.empty(2), 0.3))
        self.gain = nn.init.calculate_gain("leaky_relu", 0.2) + nn.init.calculate_gain("tanh")

    def forward(self):
        return mix(*self.filled, self.w, self.v, self.c) * self.gain


def build():
    return Model()


def step(model):
    return model()

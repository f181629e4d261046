"""One-dimensional convolutions, causal and depthwise, and GPT-2's Conv1D."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 8).view(4, 2))
        self.conv = nn.Conv1d(4, 6, 3, padding=1)
        self.depthwise = nn.Conv1d(4, 4, 3, padding=2, groups=4, bias=False)
        self.strided = nn.Conv1d(4, 2, 2, stride=2)

    def forward(self):
        x = torch.linspace(-1, 1, 40).view(2, 4, 5)
        causal = self.depthwise(x)[..., :5]
        return mix(self.conv(x), causal, self.strided(x), torch.addmm(self.w[0], x[0].t(), self.w))


def build():
    return Model()


def step(model):
    return model()

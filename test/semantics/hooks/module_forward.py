"""Forward pre-hooks change the arguments, forward hooks the result."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.fc.register_forward_pre_hook(lambda m, args: (args[0] * 2,))
        self.fc.register_forward_hook(lambda m, args, out: out.tanh())
        gone = self.fc.register_forward_hook(lambda m, args, out: out * 100)
        gone.remove()

    def forward(self):
        x = torch.linspace(-1, 1, 6).view(2, 3)
        return mix(self.fc(x), self.fc(x + 1))


def build():
    return Model()


def step(model):
    return model()

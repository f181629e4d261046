"""Tables made with numpy, and numpy's random numbers."""
import numpy as np
import torch
from torch import nn

GOLDEN = ("buffers", "parameters", "modules")


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


def sinusoid(positions, width):
    table = np.array([
        [position / np.power(10000, 2 * (i // 2) / width) for i in range(width)]
        for position in range(positions)
    ])
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 1::2])
    return torch.FloatTensor(table)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("positions", sinusoid(5, 6))
        generator = np.random.RandomState(3)
        self.w = nn.Parameter(torch.from_numpy(generator.randn(6, 6).astype(np.float32)) / np.sqrt(6))
        order = generator.permutation(5)
        self.register_buffer("order", torch.tensor(order))

    def forward(self):
        future = np.triu(np.ones((1, 5, 5)), k=1).astype("uint8")
        mask = torch.from_numpy(future) == 0
        x = self.positions[self.order] @ self.w
        scores = (x @ x.T / np.sqrt(6)).masked_fill(~mask, -1e9)
        return mix(scores.softmax(-1) @ x)


def build():
    return Model()


def step(model):
    return model()

"""Windows, convolutions, histograms and polynomials of numpy as tables of a model."""
import numpy as np
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, size=8):
        super().__init__()
        windows = [np.hanning(size), np.hamming(size), np.blackman(size), np.bartlett(size), np.hanning(size + 1)[:-1]]
        self.register_buffer("windows", torch.tensor(np.stack(windows), dtype=torch.float32))
        blurred = [np.convolve(np.arange(size), [0.25, 0.5, 0.25], mode) for mode in ("same", "valid", "full")]
        self.register_buffer("blurred", torch.from_numpy(np.concatenate(blurred)).float())
        counts, edges = np.histogram(np.array([1, 2, 2, 3, 7.5]), bins=3)
        assert counts.tolist() == [4, 0, 1] and np.hanning(1).tolist() == [1.0] and np.hanning(0).shape == (0,)
        shares, _ = np.histogram(np.arange(10), bins=[0, 2, 9], density=True)
        curve = np.polyval([1, -2, 0.5], np.linspace(-1, 1, size))
        table = np.concatenate([counts.astype(np.float64), edges, shares, curve])
        self.register_buffer("table", torch.as_tensor(table, dtype=torch.float32))
        self.mix = nn.Linear(size, 2)

    def forward(self, x):
        return self.mix(x * self.windows).sum() + self.blurred.square().mean() + self.table.sum()


def build():
    return Model()


def step(model):
    return model(torch.linspace(-1, 1, 8))

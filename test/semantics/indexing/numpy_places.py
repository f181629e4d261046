"""Places that numpy chose, and the names of arguments of split."""

import numpy as np
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)

    def forward(self, x):
        spectrum = torch.fft.rfft(self.mix(x), dim=1)
        strength = abs(spectrum).mean(0).mean(-1)
        strength[0] = 0
        _, places = torch.topk(strength, 2)
        places = places.detach().cpu().numpy()
        periods = x.shape[1] // places
        weights = abs(spectrum).mean(-1)[:, places]
        first, second = self.mix(x).split(split_size=[1, 3], dim=-1)
        third, _ = torch.split(self.mix(x), split_size_or_sections=2, dim=-1)
        odd = self.mix(x)[:, np.arange(1, 8, 2)]
        return weights.sum() * float(periods[0]) + first.sum() * second.mean() + third.sum() + odd.prod()


def build():
    return Model()


def step(model):
    return model(torch.linspace(-1, 2, 64).view(2, 8, 4).sin())

"""Recurrent layers: kinds, layers, directions, projections, states, without a batch."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 4, num_layers=2, bidirectional=True, batch_first=True)
        self.projected = nn.LSTM(3, 4, proj_size=2)
        self.gru = nn.GRU(3, 4, num_layers=2, bias=False)
        self.rnn = nn.RNN(3, 4, nonlinearity="relu", bidirectional=True)
        self.cell = nn.GRUCell(3, 4)
        self.lstm_cell = nn.LSTMCell(3, 4)

    def forward(self):
        x = torch.linspace(-1, 1, 24).view(2, 4, 3)
        first = torch.linspace(-1, 1, 32).view(4, 2, 4)
        y, (h, c) = self.lstm(x, (first, first * 2))
        p, (ph, pc) = self.projected(x)
        g, gh = self.gru(x)
        r, rh = self.rnn(x[0])
        cell = self.cell(x[0], self.cell(x[1]))
        lh, lc = self.lstm_cell(x[0])
        return mix(y, h, c, p, ph, pc, g, gh, r, rh, cell, lh, lc)


def build():
    return Model()


def step(model):
    return model()

"""Sequences of different lengths through recurrent layers."""
import torch
from torch import nn
from torch.nn.utils.rnn import (
    pack_padded_sequence,
    pack_sequence,
    pad_packed_sequence,
    pad_sequence,
    unpack_sequence,
    unpad_sequence,
)


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 2, bidirectional=True)
        self.gru = nn.GRU(3, 2, num_layers=2)

    def forward(self):
        x = torch.linspace(-1, 1, 36).view(4, 3, 3)
        packed = pack_padded_sequence(x, [2, 4, 1], enforce_sorted=False)
        y, (h, c) = self.lstm(packed)
        y, lengths = pad_packed_sequence(y)
        z, last = self.gru(packed)
        padded = pad_sequence([x[:2, 0], x[:, 1]], batch_first=True, padding_value=0.5)
        again, _ = self.lstm(packed, (h, c))
        even = pack_padded_sequence(x.transpose(0, 1), torch.tensor([4, 2, 2]), batch_first=True)
        steps, _ = pad_packed_sequence(self.gru(even)[0], batch_first=True, total_length=5)
        rows = unpad_sequence(y, lengths) + unpack_sequence(pack_sequence([x[:, 2], x[:3, 1]]))
        return mix(y, h, c, z.data, last, padded, again.data, steps, *rows) + lengths.sum()


def build():
    return Model()


def step(model):
    return model()

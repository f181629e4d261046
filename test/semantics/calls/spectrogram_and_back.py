"""Short-time transforms and their inverses, and pooling at random places."""
import torch
from torch import nn
from torch.nn import functional as F


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.linspace(0.5, 1.5, 9))
        self.register_buffer("window", torch.hann_window(12))
        self.pool = nn.FractionalMaxPool2d(2, output_size=(3, 4))

    def forward(self, x):
        spectrum = torch.stft(x, 16, hop_length=4, win_length=12, window=self.window, return_complex=True)
        y = torch.istft(spectrum * self.gain[:, None], 16, 4, 12, self.window, length=x.shape[-1])
        whole = torch.stft(x[0], 8, return_complex=True, normalized=True, onesided=False)
        z = torch.istft(whole, 8, normalized=True, onesided=False)
        longer = torch.istft(torch.stft(x[0], 8, return_complex=True), 8, length=50)
        image = spectrum.abs().unsqueeze(1)
        pooled = self.pool(image) + F.fractional_max_pool2d(image, (3, 2), output_ratio=(0.4, 0.4)).mean()
        found, places = F.fractional_max_pool2d(image, 2, output_size=4, return_indices=True)
        return y.pow(2).sum() + z.sum() * self.gain.sum() + longer.mean() + pooled.sum() + (found * places).mean()


def build():
    return Model()


def step(model):
    return model(torch.linspace(-3, 3, 80).sin().view(2, 40))

"""view, reshape, flatten, unflatten, squeeze, transpose, permute and movedim."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 24).view(2, 3, 4))

    def forward(self):
        w = self.w
        views = (
            w.view(6, 4), w.view(2, -1), w.reshape(4, 6), w.flatten(),
            w.flatten(1), w.view(2, 3, 2, 2), w.view_as(w),
        )
        turned = (
            w.transpose(0, 2), w.permute(2, 0, 1), w.movedim(0, -1),
            w.swapaxes(1, 2), w[0].t(), w[0].T, w.mT,
        )
        ones = (
            w.unsqueeze(1), w[:1].squeeze(0), w[:1, :1].squeeze(),
            w.squeeze(1), w.unflatten(2, (2, 2)), w.ravel(),
        )
        return mix(
            *views, *turned, *ones, w.transpose(1, 2).reshape(2, 12), torch.reshape(w, (-1,)),
        )


def build():
    return Model()


def step(model):
    return model()

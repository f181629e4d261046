"""Bags of embeddings, folds, shuffles, pools and padding as layers."""
import torch
from torch import nn


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(6, 3, mode="sum", padding_idx=2)
        self.shapes = nn.ModuleList([
            nn.PixelShuffle(2), nn.ChannelShuffle(2), nn.ReflectionPad2d(1), nn.ReplicationPad2d((1, 0, 2, 1)),
            nn.ZeroPad2d(1), nn.MaxPool2d(2), nn.AvgPool2d(2, ceil_mode=True), nn.AdaptiveAvgPool2d(1),
            nn.AdaptiveMaxPool2d((1, 2)), nn.Upsample(scale_factor=2, mode="bilinear"),
            nn.Unfold(2, padding=1), nn.Flatten(2), nn.Softmax2d(),
        ])

    def forward(self):
        x = torch.linspace(-1, 1, 72).view(2, 4, 3, 3)
        x = x + self.bag(torch.tensor([1, 2, 3, 5]), torch.tensor([0, 2])).sum() * 0.1
        return mix(*(layer(x) for layer in self.shapes), nn.Fold((3, 3), 2)(nn.Unfold(2)(x)))


def build():
    return Model()


def step(model):
    return model()

"""A network whose weights and images lie channels last: the same numbers in another order of memory."""
import torch
import torch.nn.functional as F
from torch import nn

MODE = "train"


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.down = nn.Conv2d(4, 6, 3, stride=2, padding=1)
        self.drop = nn.Dropout(0.25)
        self.head = nn.Linear(6, 2)

    def forward(self, x):
        x = F.relu(self.norm(self.stem(x)))
        x = self.drop(F.max_pool2d(x, 2))
        x = self.down(x)
        assert x.is_contiguous(memory_format=torch.channels_last) and not x.is_contiguous()
        tokens = x.permute(0, 2, 3, 1).view(2, -1, 6)
        tokens.add_(0.5)
        pooled = F.adaptive_avg_pool2d(x, 1).flatten(1)
        return self.head(pooled + tokens.mean(1))


def build():
    return Model().to(memory_format=torch.channels_last)


def step(model):
    x = torch.randn(2, 3, 8, 8).contiguous(memory_format=torch.channels_last)
    assert model.stem.weight.stride() == (27, 1, 9, 3)
    return model(x).pow(2).sum()

"""Each cluster of an adaptive softmax sees the rows whose target it has; one that no row has is not called."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.many = nn.AdaptiveLogSoftmaxWithLoss(6, 20, [4, 8, 15], div_value=2.0)
        self.few = nn.AdaptiveLogSoftmaxWithLoss(6, 9, [3], head_bias=True)

    def forward(self, x):
        output, loss = self.many(x, torch.tensor([1, 17, 3, 5, 0, 19]))
        one = self.many(x[0], torch.tensor(5))
        few = self.few(x[:3], torch.tensor([0, 2, 1]))
        every = self.many.log_prob(x[:2]).sum()
        some, none = self.many.predict(x), self.few.predict(torch.zeros(2, 6))
        return loss + 0.01 * every + some.sum() + none.sum() + (output * torch.linspace(0, 1, 6)).sum() + one.loss + few.loss


def build():
    return Model()


def step(model):
    return model(torch.linspace(-1, 1, 36).view(6, 6).sin())


# What places hold before they are written is whatever the memory held.
GOLDEN = ("parameters", "modules")

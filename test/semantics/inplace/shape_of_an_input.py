"""Views that take the place of the model's own input: unsqueeze_, t_, squeeze_."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[0.3, -1.7, 2.4], [1.0, 0.5, -0.25]]))

    def forward(self, x, y, bias):
        x.t_()
        y.unsqueeze_(0)
        bias.squeeze_().mul_(2)
        return (self.w @ x.T).sum() + (y * self.w).pow(2).sum() + (self.w + bias).sin().sum()


def build():
    return Model()


def step(model):
    x = torch.arange(6.0).view(3, 2)
    y = torch.tensor([0.5, -1.0, 2.0])
    bias = torch.tensor([[[0.1, 0.2, 0.3]]])
    loss = model(x, y, bias)
    assert (x.shape, y.shape, bias.shape) == ((2, 3), (1, 3), (3,))
    return loss

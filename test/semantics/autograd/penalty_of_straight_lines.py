"""WGAN-GP with a convolutional critic, leaky slopes and pooling; the penalty alone reaches some biases."""
import torch
from torch import nn
import torch.nn.functional as F

class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(2, 6, 3, padding=1), nn.LeakyReLU(0.2), nn.AvgPool2d(2), nn.Conv2d(6, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.head = nn.Linear(8 * 4, 1)
    def forward(self, x):
        return self.head(self.net(x).flatten(1)).squeeze(1)

def build(): return Critic()
def step(model):
    real, fake = torch.randn(3, 2, 8, 8), torch.randn(3, 2, 8, 8)
    a = torch.rand(3, 1, 1, 1)
    x = (a * real + (1 - a) * fake).requires_grad_(True)
    y = model(x)
    g, = torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True, retain_graph=True)
    return ((g.flatten(1).norm(2, 1) - 1) ** 2).mean()

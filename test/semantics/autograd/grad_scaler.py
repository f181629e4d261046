"""A GradScaler of the CPU: scaled losses, gradients that are divided again, a step that is left out."""
import torch
from torch import nn
from torch.nn import functional as F

GOLDEN = ("parameters", "modules")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.head = nn.Linear(8, 8), nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.fc(x).tanh())


def build():
    torch.manual_seed(0)
    return Model()


def step(model):
    x, target = torch.arange(16.0).view(2, 8).sin(), torch.tensor([0, 2])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=2)
    for turn in range(4):
        optimizer.zero_grad()
        scaler.scale(F.cross_entropy(model(x), target)).backward()
        if turn > 0:
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        elif turn == 0:
            model.fc.bias.grad[0] = float("inf")
        scaler.step(optimizer)
        scaler.update()
    model.zero_grad()
    return scaler.scale(F.cross_entropy(model(x), target)) / 512

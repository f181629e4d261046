"""A few steps of training within the step that is measured: each optimizer its own layer."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(3, 3) for _ in range(6))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).tanh() + x
        return x


def build():
    return Model()


def step(model):
    x = torch.linspace(-1, 1, 12).view(4, 3)
    layers = [layer.parameters() for layer in model.layers]
    optimizers = [
        torch.optim.SGD(layers[0], lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01),
        torch.optim.Adam(layers[1], lr=0.01, weight_decay=0.1, amsgrad=True),
        torch.optim.AdamW(layers[2], lr=0.01),
        torch.optim.RMSprop(layers[3], lr=0.01, momentum=0.5, centered=True),
        torch.optim.Adagrad(layers[4], lr=0.02, lr_decay=0.1),
        torch.optim.SGD([{"params": layers[5], "lr": 0.05}], lr=1, maximize=True),
    ]
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizers[1], lambda k: 1 / (k + 1))
    for k in range(3):
        for optimizer in optimizers:
            optimizer.zero_grad(set_to_none=k % 2 == 0)
        loss = (model(x) - x.flip(0)).square().mean()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        for optimizer in optimizers:
            optimizer.step()
        schedule.step()
    model.zero_grad()
    return (model(x) - x.flip(0)).square().mean() + loss.detach()


GOLDEN = ("parameters", "modules")

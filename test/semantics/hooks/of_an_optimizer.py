"""Hooks around the steps of optimizers, of one and of all, and around their state."""
import torch
from torch import nn
from torch.optim.optimizer import register_optimizer_step_pre_hook


class Signs(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, scale=1.0):
        for group in self.param_groups:
            for p in group["params"]:
                p.add_(p.grad.sign(), alpha=-group["lr"] * scale)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x).pow(2).mean()


def build():
    torch.manual_seed(0)
    return Model()


def step(model):
    calls = []

    def before(optimizer, args, kwargs):
        for p in optimizer.param_groups[0]["params"]:
            p.grad.clamp_(-0.01, 0.01)
        calls.append(1)
        return args, {**kwargs, "scale": 2.0}

    def after(optimizer, args, kwargs):
        calls.append(kwargs.get("scale", 0.5))
        with torch.no_grad():
            for p in model.parameters():
                p.mul_(0.9)

    x = torch.arange(12.0).view(3, 4).cos()
    signs, sgd = Signs(model.parameters(), 0.1), torch.optim.SGD(model.parameters(), lr=0.1)
    of_all = register_optimizer_step_pre_hook(lambda *args: calls.append(10))
    own = [signs.register_step_pre_hook(before), signs.register_step_post_hook(after)]
    sgd.register_step_post_hook(after)
    sgd.register_state_dict_post_hook(lambda optimizer, state: {**state, "more": 3})
    for optimizer in (signs, sgd):
        optimizer.zero_grad()
        model(x).backward()
        optimizer.step()
    for handle in (of_all, *own):
        handle.remove()
    model.zero_grad()
    model(x).backward()
    signs.step(0.5)
    model.zero_grad()
    return model(x) + sum(calls) + sgd.state_dict()["more"]

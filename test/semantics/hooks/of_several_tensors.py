"""A hook of several tensors: once in a walk, with all gradients that arrive or with the first."""
import torch
from torch import nn
from torch.autograd.graph import register_multi_grad_hook


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)
        self.seen = []

    def forward(self, x):
        u, v, unused = self.a(x), self.b(x), self.c(x)
        register_multi_grad_hook((u, v, unused), self.keep)
        register_multi_grad_hook((u, v), lambda grad: self.seen.append(grad.sum()), mode="any")
        register_multi_grad_hook((u, v), self.keep).remove()
        (u.sum() * v.sum()).backward(retain_graph=True)
        loss = (u * 2 + v.tanh()).pow(2).mean()
        return loss + sum(self.seen).detach()

    def keep(self, grads):
        self.seen += [grad.norm() for grad in grads if grad is not None]
        self.seen.append(torch.tensor(float(len(grads))))


def build():
    torch.manual_seed(0)
    return Model()


def step(model):
    return model(torch.arange(12.0).view(3, 4).cos())

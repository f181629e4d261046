"""A model that prints as people do while they look for a mistake."""

import sys
import traceback

import torch
from torch import nn

print("at import", torch.ones(2))


class Net(nn.Module):
    def __init__(self, dim=6, vocab=11):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.head = nn.Linear(dim, vocab)
        print(self)

    def forward(self, idx):
        x = self.embed(idx)
        print("x", tuple(x.shape), x.dtype, f"{x.mean():.3f}", end="\n\n")
        for i in range(2):
            print(i, x[i, 0].detach())
        print(torch.arange(4000).view(50, 80) * 1.5)
        sys.stdout.write("no end")
        sys.stderr.write("to stderr\n")
        return self.head(x)


def build():
    return Net()


def step(model):
    logits = model(torch.arange(8).view(2, 4))
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), torch.arange(8))
    print(f"loss {loss.item():.4f}")
    try:
        logits.view(3, 7)
    except RuntimeError as error:
        print("caught", error)
        traceback.print_exc(limit=0)
    logits.register_hook(
        lambda gradient: print("gradient", tuple(gradient.shape), f"{gradient.norm():.4f}")
    )
    return loss

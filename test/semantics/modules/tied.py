"""One weight for embedding and head: one parameter, an alias, and the sum of both gradients."""
import torch
from torch import nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(6, 4)
        self.head = nn.Linear(4, 6, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self):
        idx = torch.tensor([[1, 5, 0], [1, 2, 2]])
        logits = self.head(self.embedding(idx))
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), idx[:, 1:].flatten())


def build():
    return Model()


def step(model):
    return model()

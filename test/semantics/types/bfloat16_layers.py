"""A block in bfloat16."""
import torch
from torch import nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8, dtype=torch.bfloat16)
        self.embedding = nn.Embedding(5, 8).to(torch.bfloat16)

    def forward(self):
        x = self.embedding(torch.tensor([[0, 1, 4, 1]]))
        h = F.rms_norm(self.fc(x), (8,), eps=1e-5)
        logits = h @ self.embedding.weight.T
        return F.cross_entropy(logits[0].float(), torch.tensor([1, 2, 3, 0])) + h.float().mean()


def build():
    return Model()


def step(model):
    return model()

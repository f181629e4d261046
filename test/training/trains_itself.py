"""Trains where it is imported, with an optimiser of its own, as many tutorials do."""
import torch
from torch import nn
import torch.nn.functional as F


class TrainsItself(nn.Module):
    def __init__(self, vocab_size: int = 16, d_model: int = 8):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, d_model)
        self.head = nn.Linear(d_model, vocab_size)

    def forward(self, idx):
        return self.head(self.embed(idx))


model = TrainsItself()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
for _ in range(3):
    batch = torch.randint(0, 16, (2, 9))
    loss = F.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

"""A model and two ways to train it, both right; the tests write a mistake into one of them."""
import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.optim.lr_scheduler import CosineAnnealingLR


class Model(nn.Module):
    def __init__(self, vocabulary=31, dim=16):
        super().__init__()
        self.tok, self.norm = nn.Embedding(vocabulary, dim), nn.LayerNorm(dim)
        self.drop, self.head = nn.Dropout(0.1), nn.Linear(dim, vocabulary)

    def forward(self, idx):
        return self.head(self.drop(self.norm(self.tok(idx))))


def train(model, loader, epochs, accumulate):
    opt = optim.AdamW(model.parameters(), lr=1e-3)
    schedule = CosineAnnealingLR(opt, T_max=epochs)
    for epoch in range(epochs):
        model.train()
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
            (loss / accumulate).backward()
            if (i + 1) % accumulate == 0:
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                opt.zero_grad()
        schedule.step()
        model.eval()
        print(epoch, loss.item())


class Trainer:
    def __init__(self, model, steps):
        self.model = model
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=3e-4)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(self.optimizer, 1e-3, total_steps=steps)
        self.scaler = torch.amp.GradScaler()

    def fit(self, batches):
        for x, y in batches:
            self.optimizer.zero_grad(set_to_none=True)
            loss = F.cross_entropy(self.model(x).transpose(1, 2), y)
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.scaler.step(self.optimizer)
            self.scaler.update()
            self.scheduler.step()

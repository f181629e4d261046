"""A deep Post-LN model and ways to train it, all right; the tests write a mistake into one of them."""
import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.optim.lr_scheduler import StepLR


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.attn = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.up, self.down = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(self, x):
        x = self.n1(x + self.attn(x, x, x, need_weights=False)[0])
        return self.n2(x + self.down(F.gelu(self.up(x))))


class Model(nn.Module):
    def __init__(self, vocabulary=31, dim=16, depth=6):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocabulary, dim), nn.Embedding(64, dim)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(depth))
        self.head = nn.Linear(dim, vocabulary)

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def evaluate(model, batches):
    model.eval()
    with torch.no_grad():
        return sum(F.cross_entropy(model(x).transpose(1, 2), y).item() for x, y in batches)


def plain(batches, held_out, rounds=3):
    model = Model().to("cuda")
    criterion = nn.CrossEntropyLoss()
    params = list(filter(lambda p: p.requires_grad, model.parameters()))
    optimizer = optim.AdamW(params, lr=1e-2)
    schedule = StepLR(optimizer, 1)
    for round in range(rounds):
        model.train()
        total, losses = 0.0, []
        for x, y in batches:
            optimizer.zero_grad()
            logits = model(x)
            loss = criterion(logits.flatten(0, 1), y.flatten())
            loss.backward()
            nn.utils.clip_grad_norm_(params, 1.0)
            optimizer.step()
            total += loss.item()
            losses.append(loss.detach())
        schedule.step()
        print(round, total, torch.stack(losses).mean(), evaluate(model, held_out))


def mixed(model, batches):
    sgd = optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    for x, y in batches:
        sgd.zero_grad(set_to_none=True)
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x).transpose(1, 2), y)
        scaler.scale(loss).backward()
        scaler.unscale_(sgd)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(sgd)
        scaler.update()

"""Batches in the order that PyTorch draws."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Squares(Dataset):
    def __len__(self):
        return 10

    def __getitem__(self, index):
        return {"x": torch.full((3,), float(index)), "y": index * index}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)
        train, _ = random_split(Squares(), [0.7, 0.3])
        self.batches = list(DataLoader(train, batch_size=3, shuffle=True, drop_last=True))
        pairs = TensorDataset(torch.arange(6.0).view(6, 1), torch.arange(6))
        self.pairs = list(DataLoader(pairs, batch_size=4))

    def forward(self):
        outputs = [self.fc(batch["x"]) * batch["y"].unsqueeze(1) for batch in self.batches]
        return mix(*outputs, *(x * y.unsqueeze(1) for x, y in self.pairs))


def build():
    return Model()


def step(model):
    return model()

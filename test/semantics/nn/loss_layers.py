"""Losses as modules."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 2, 12).view(3, 4))
        self.losses = nn.ModuleList([
            nn.L1Loss(), nn.MSELoss(reduction="sum"), nn.SmoothL1Loss(beta=0.5), nn.HuberLoss(delta=0.7),
            nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.0, 2.0, 3.0, 4.0])), nn.SoftMarginLoss(),
            nn.KLDivLoss(reduction="batchmean"), nn.PoissonNLLLoss(), nn.HingeEmbeddingLoss(),
        ])

    def forward(self):
        target = torch.linspace(0.1, 0.9, 12).view(3, 4)
        total = sum(loss(self.w, target) for loss in self.losses)
        classes = torch.tensor([0, 3, 1])
        total = total + nn.CrossEntropyLoss(label_smoothing=0.1)(self.w, classes)
        total = total + nn.NLLLoss(weight=target[0])(self.w, classes)
        total = total + nn.MultiMarginLoss()(self.w, classes)
        total = total + nn.GaussianNLLLoss()(self.w, target, target)
        return total + nn.TripletMarginLoss()(self.w, target, target * 2)


def build():
    return Model()


def step(model):
    return model()

"""The other losses."""
import torch
from torch import nn
import torch.nn.functional as F


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-2, 2, 12).view(4, 3))

    def forward(self):
        w, t, y = self.w, torch.tensor([2, 0, 1, 1]), torch.linspace(1, 0, 12).view(4, 3)
        logs = F.nll_loss(w.log_softmax(-1), t), F.nll_loss(w.log_softmax(-1), t, reduction="none")
        errors = (
            F.mse_loss(w, y), F.l1_loss(w, y), F.smooth_l1_loss(w, y, beta=0.5),
            F.huber_loss(w, y),
        )
        binary = F.binary_cross_entropy_with_logits(w, y), F.binary_cross_entropy(w.sigmoid(), y)
        kl = F.kl_div(w.log_softmax(-1), y.softmax(-1), reduction="batchmean")
        return mix(
            *logs, *errors, *binary, kl, nn.MSELoss(reduction="sum")(w, y),
            F.cosine_similarity(w, y),
        )


def build():
    return Model()


def step(model):
    return model()

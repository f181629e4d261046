"""The scores of n09, scaled before the product: nothing overflows."""
import torch

from casekit import fill, weights_of
from models.n09_half_logits import Model


def build():
    return fill(Model(scale_first=True).half(), weights_of("n09_half_logits"))


def step(model):
    i = torch.arange(2 * 8 * 64, dtype=torch.float64)
    x = (220.0 * torch.sin(0.7 * i + 0.3)).reshape(2, 8, 64).half()
    return (model(x).float() ** 2).mean()

"""An eps outside of the root: forward finite, backward NaN at padding."""
import torch

from casekit import fill, next_token_loss_within, tokens, weights_of
from models.n11_eps_outside_sqrt import Model


def build():
    return fill(Model(), weights_of("n11_eps_outside_sqrt"))


def step(model):
    idx = tokens()
    lengths = torch.tensor([16, 3, 16, 9])
    return next_token_loss_within(model(idx, lengths), idx, lengths)

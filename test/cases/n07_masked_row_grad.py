"""Rows whose keys are all masked: NaN that the loss skips and the gradients do not."""
import torch

from casekit import fill, next_token_loss_within, tokens, weights_of
from models.n07_masked_row_grad import Model


def build():
    return fill(Model(), weights_of("n07_masked_row_grad"))


def step(model):
    idx = tokens()
    lengths = torch.tensor([16, 3, 16, 9])
    return next_token_loss_within(model(idx, lengths), idx, lengths)

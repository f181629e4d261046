"""Meant to be Pre-LN, but the skip connection passes through the norm."""
from casekit import fill, next_token_loss, tokens, weights_of
from models.n03_skip_through_norm import Model


def build():
    return fill(Model(), weights_of("n03_skip_through_norm"))


def step(model):
    idx = tokens()
    return next_token_loss(model(idx), idx)

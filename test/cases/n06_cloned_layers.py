"""Layers that are copies of one: they start alike, and their gradients differ."""
from casekit import next_token_loss, tokens
from models.n06_cloned_layers import Model


def build():
    return Model()


def step(model):
    idx = tokens()
    return next_token_loss(model(idx), idx)

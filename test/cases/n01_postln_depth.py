"""Post-LN, twelve layers: what the depth does to the gradients of its layers."""
from casekit import fill, next_token_loss, tokens, weights_of
from models.n01_postln_depth import Model


def build():
    return fill(Model(), weights_of("n01_postln_depth"))


def step(model):
    idx = tokens()
    return next_token_loss(model(idx), idx)

"""The same as Pre-LN, with its final norm."""
from casekit import fill, next_token_loss, tokens, weights_of
from models.n02_preln_depth import Model


def build():
    return fill(Model(), weights_of("n02_preln_depth"))


def step(model):
    idx = tokens()
    return next_token_loss(model(idx), idx)

"""A Pre-LN stack of PyTorch's own layers without a closing norm."""
from casekit import fill, next_token_loss, tokens, weights_of
from models.n04_no_final_norm import Model


def build():
    return fill(Model(), weights_of("n04_no_final_norm"))


def step(model):
    idx = tokens()
    return next_token_loss(model(idx), idx)

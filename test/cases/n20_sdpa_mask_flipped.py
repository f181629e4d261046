"""A mask of the wrong sense, whose last row keeps no key."""
from casekit import fill, next_token_loss, tokens, weights_of
from models.n20_sdpa_mask_flipped import Model


def build():
    return fill(Model(), weights_of("n20_sdpa_mask_flipped"))


def step(model):
    idx = tokens()
    return next_token_loss(model(idx), idx)

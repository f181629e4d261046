"""In-place edits: a line shows the numbers that it made, before the next line changed them."""
from casekit import fill, next_token_loss, tokens, weights_of
from models.n16_inplace_relu_stats import Model


def build():
    return fill(Model(), weights_of("n16_inplace_relu_stats"))


def step(model):
    idx = tokens()
    return next_token_loss(model(idx), idx)

"""A softmax over the wrong axis."""
from casekit import fill, next_token_loss, tokens, weights_of
from models.n18_softmax_over_queries import Model


def build():
    return fill(Model(), weights_of("n18_softmax_over_queries"))


def step(model):
    idx = tokens()
    return next_token_loss(model(idx), idx)

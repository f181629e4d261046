"""A branch that depends on a computed number."""
from casekit import fill, next_token_loss, tokens, weights_of
from models.n24_data_dependent_branch import Model


def build():
    return fill(Model(), weights_of("n24_data_dependent_branch"))


def step(model):
    idx = tokens()
    return next_token_loss(model(idx), idx)

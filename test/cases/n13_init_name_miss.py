"""An initialisation that a name comparison never reaches."""
from casekit import next_token_loss, tokens
from models.n13_init_name_miss import Model


def build():
    return Model()


def step(model):
    idx = tokens()
    return next_token_loss(model(idx), idx)

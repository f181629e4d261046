"""One block that runs four times and returns a tuple."""
from casekit import fill, next_token_loss, tokens, weights_of
from models.n15_block_reused import Model


def build():
    return fill(Model(), weights_of("n15_block_reused"))


def step(model):
    idx = tokens()
    logits, _ = model(idx)
    return next_token_loss(logits, idx)

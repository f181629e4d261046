"""Weights, tokens and loss of the cases, without random numbers."""
import json
from pathlib import Path

import torch
import torch.nn.functional as F


def mulberry32(seed, n):
    """n uniforms in [0, 1)."""
    values, state = [], seed
    for _ in range(n):
        state = (state + 0x6D2B79F5) & 0xFFFFFFFF
        t = ((state ^ (state >> 15)) * (state | 1)) & 0xFFFFFFFF
        t = ((t + (((t ^ (t >> 7)) * (t | 61)) & 0xFFFFFFFF)) & 0xFFFFFFFF) ^ t
        values.append(((t ^ (t >> 14)) & 0xFFFFFFFF) / 4294967296)
    return values


def weights_of(case):
    """The list of weights in the case's expected numbers."""
    file = Path(__file__).parent / "expected" / f"{case}.json"
    return json.loads(file.read_text())["weights"]


def fill(model, weights):
    """Sets every parameter as `weights` lists it: [name, a or "ones", seed].

    Row-major uniforms in [-a, a); ones; zeros where the seed is 0.
    """
    rows = {name: (a, seed) for name, a, seed in weights}
    with torch.no_grad():
        for name, p in model.named_parameters():
            a, seed = rows[name]
            if a == "ones":
                p.fill_(1.0)
            elif seed == 0:
                p.zero_()
            else:
                values = [-a + 2 * a * u for u in mulberry32(seed, p.numel())]
                p.copy_(torch.tensor(values, dtype=torch.float64).reshape(p.shape).to(p.dtype))
    return model


def tokens(batch=4, length=16, vocab=31):
    i = torch.arange(batch * length)
    return ((i * i * 5 + 3 * i) % vocab).reshape(batch, length)


def next_token_loss(logits, tok):
    predicted = logits[:, :-1].float().reshape(-1, logits.shape[-1])
    return F.cross_entropy(predicted, tok[:, 1:].reshape(-1))


def next_token_loss_within(logits, tok, lengths):
    """Over the pairs (t, t + 1) with t + 1 below the row's length."""
    inside = torch.arange(1, tok.shape[1])[None] < lengths[:, None]
    return F.cross_entropy(logits[:, :-1][inside], tok[:, 1:][inside])

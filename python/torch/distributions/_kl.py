"""Kullback-Leibler divergences in closed form."""

from .._unsupported import unsupported
from ._base import Independent
from ._discrete import Bernoulli, Categorical, OneHotCategorical
from ._real import Normal, Uniform


def _normal(p, q):
    ratio = (p.scale / q.scale).pow(2)
    distance = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + distance - 1 - ratio.log())


def _categorical(p, q):
    return (p.probs * (p.logits - q.logits)).sum(-1)


def _bernoulli(p, q):
    yes = p.probs * (p.probs / q.probs).log()
    no = (1 - p.probs) * ((1 - p.probs) / (1 - q.probs)).log()
    return yes + no


def _uniform(p, q):
    return ((q.high - q.low) / (p.high - p.low)).log()


def _independent(p, q):
    return p._summed(kl_divergence(p.base_dist, q.base_dist))


_RULES = {
    Normal: _normal,
    Categorical: _categorical,
    OneHotCategorical: _categorical,
    Bernoulli: _bernoulli,
    Uniform: _uniform,
    Independent: _independent,
}


def kl_divergence(p, q):
    rule = _RULES.get(type(p))
    if rule is None or type(q) is not type(p):
        raise unsupported(
            f"torch.distributions.kl_divergence of {type(p).__name__} and {type(q).__name__}"
        )
    return rule(p, q)

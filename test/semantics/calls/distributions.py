"""Distributions make the calls that PyTorch makes: of their parameters, to check them and samples, to draw, of divergences."""
import torch
from torch import nn
from torch.distributions import (
    Bernoulli,
    Categorical,
    Exponential,
    Gumbel,
    Independent,
    Laplace,
    LogNormal,
    Normal,
    OneHotCategorical,
    Uniform,
    kl_divergence,
)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 12).view(3, 4))

    def forward(self):
        w = self.w
        return mix(*real(w), *discrete(w), *skewed(w))


def real(w):
    normal = Normal(w, w.exp())
    drawn = normal.rsample()
    seen = normal.sample()
    yield normal.log_prob(seen) + normal.entropy() + drawn
    yield normal.cdf(w) + normal.variance + normal.stddev
    unit = Normal(0.0, 1.0)
    yield unit.sample((3, 4)) + unit.log_prob(w)
    yield kl_divergence(normal, Normal(torch.zeros(3, 4), 1.0))
    rows = Independent(normal, 1)
    yield rows.log_prob(seen)
    yield rows.rsample() + rows.mean
    yield kl_divergence(rows, Independent(Normal(w * 0, 1), 1))
    unchecked = Normal(w, 2.0, validate_args=False)
    yield unchecked.log_prob(seen)


def discrete(w):
    classes = Categorical(logits=w)
    drawn = classes.sample()
    yield classes.log_prob(drawn) + classes.entropy()
    shares = Categorical(w.softmax(-1))
    twice = shares.sample((2,))
    yield shares.log_prob(twice)
    yield kl_divergence(classes, shares) + classes.probs.sum(-1)
    coins = Bernoulli(logits=w)
    flipped = coins.sample()
    yield coins.log_prob(flipped) + coins.entropy() + coins.mean
    biased = Bernoulli(w.sigmoid())
    yield biased.log_prob(biased.sample())
    yield kl_divergence(coins, biased)
    marked = OneHotCategorical(logits=w)
    yield marked.log_prob(marked.sample())


def skewed(w):
    within = Uniform(w, w + 1)
    place = within.rsample()
    yield place + within.log_prob(place.detach()) + within.entropy()
    for made in (Exponential(w.exp()), Laplace(w, 1.0), LogNormal(w, 0.5), Gumbel(w, 2.0)):
        drawn = made.rsample()
        yield made.log_prob(drawn) + made.entropy()


def mix(*tensors):
    """A scalar in which every element has its own weight."""
    return sum((t * torch.linspace(-1, 2, t.numel()).view(t.shape)).sum() for t in tensors)


def build():
    return Model()


def step(model):
    return model()

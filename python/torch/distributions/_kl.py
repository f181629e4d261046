"""Kullback-Leibler divergences in closed form."""

import math

from .._call import call
from ._base import Independent, sum_rightmost
from ._counts import Binomial
from ._discrete import Bernoulli, Categorical, Geometric, OneHotCategorical, Poisson
from ._gammas import Beta, Dirichlet, Gamma
from ._matrices import LowRankMultivariateNormal
from ._multivariate import MultivariateNormal, mahalanobis
from ._real import Exponential, Laplace, Normal, Uniform
from ._shares import ContinuousBernoulli
from ._transformed import Gumbel, HalfNormal, Pareto, TransformedDistribution

_EULER = 0.57721566490153286060
_rules = {}


def register_kl(type_p, type_q):
    """Decorates the rule for distributions of two classes, and of classes derived from them."""

    def decorate(rule):
        _rules[type_p, type_q] = rule
        return rule

    return decorate


def kl_divergence(p, q):
    rule = _rule_for(type(p), type(q))
    if rule is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type "
            f"{type(q).__name__}"
        )
    return rule(p, q)


def _rule_for(type_p, type_q):
    """The rule of the nearest classes that have one."""
    for base_p in type_p.__mro__:
        for base_q in type_q.__mro__:
            if (base_p, base_q) in _rules:
                return _rules[base_p, base_q]
    return None


def _where(condition, value, other):
    return call("where", (condition, value, other), {})


@register_kl(Normal, Normal)
def _normal(p, q):
    ratio = (p.scale / q.scale).pow(2)
    distance = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + distance - 1 - ratio.log())


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p, q):
    def softplus(x):
        return call("softplus", (x,), {})

    yes = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    yes[q.probs == 0] = math.inf
    yes[p.probs == 0] = 0
    no = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    no[q.probs == 1] = math.inf
    no[p.probs == 1] = 0
    return yes + no


@register_kl(Categorical, Categorical)
def _categorical(p, q):
    found = p.probs * (p.logits - q.logits)
    found[(q.probs == 0).expand_as(found)] = math.inf
    found[(p.probs == 0).expand_as(found)] = 0
    return found.sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p, q):
    return _categorical(p._categorical, q._categorical)


@register_kl(Binomial, Binomial)
def _binomial(p, q):
    if bool((p.total_count < q.total_count).any()):
        raise NotImplementedError(
            "KL between Binomials where q.total_count > p.total_count is not implemented"
        )
    each = p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p()
    return _where(p.total_count > q.total_count, math.inf, p.total_count * each)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p, q):
    own = p.log_norm() + (-p.probs).log1p()
    return p.mean * (p.logits - q.logits) + own - q.log_norm() - (-q.probs).log1p()


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
@register_kl(LowRankMultivariateNormal, MultivariateNormal)
@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def _low_rank(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError(
            "KL-divergence between two (Low Rank) Multivariate Normals with different event shapes "
            "cannot be computed"
        )
    precision, x = q.precision_matrix, (q.loc - p.loc).unsqueeze(-1)
    spread = (precision * p.covariance_matrix).sum((-2, -1))
    distance = (x.mT @ precision @ x).squeeze(-1).squeeze(-1)
    return 0.5 * (q.log_det() - p.log_det() + spread + distance - p.event_shape[0])


@register_kl(Geometric, Geometric)
def _geometric(p, q):
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


@register_kl(Poisson, Poisson)
def _poisson(p, q):
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Exponential, Exponential)
def _exponential(p, q):
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Laplace, Laplace)
def _laplace(p, q):
    ratio = p.scale / q.scale
    distance = (p.loc - q.loc).abs()
    return -ratio.log() + distance / q.scale + ratio * (-distance / p.scale).exp() - 1


@register_kl(Uniform, Uniform)
def _uniform(p, q):
    is_within = (q.low <= p.low) & (q.high >= p.high)
    return _where(is_within, ((q.high - q.low) / (p.high - p.low)).log(), math.inf)


@register_kl(Gamma, Gamma)
def _gamma(p, q):
    return (
        q.concentration * (p.rate / q.rate).log()
        + q.concentration.lgamma()
        - p.concentration.lgamma()
        + (p.concentration - q.concentration) * p.concentration.digamma()
        + (q.rate - p.rate) * (p.concentration / p.rate)
    )


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p, q):
    p_sum, q_sum = p.concentration.sum(-1), q.concentration.sum(-1)
    slope = p.concentration.digamma() - p_sum.digamma().unsqueeze(-1)
    return (
        p_sum.lgamma()
        - q_sum.lgamma()
        - (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1)
        + ((p.concentration - q.concentration) * slope).sum(-1)
    )


@register_kl(Beta, Beta)
def _beta(p, q):
    return _dirichlet(p._dirichlet, q._dirichlet)


@register_kl(Gumbel, Gumbel)
def _gumbel(p, q):
    ratio, ours, theirs = p.scale / q.scale, p.loc / q.scale, q.loc / q.scale
    shifted = (theirs + (1 + ratio).lgamma() - ours).exp()
    return -ratio.log() - theirs + ours + ratio * _EULER + shifted - (1 + _EULER)


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p, q):
    return _normal(p.base_dist, q.base_dist)


@register_kl(Pareto, Pareto)
def _pareto(p, q):
    ratio = q.alpha / p.alpha
    found = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
    return _where(p.scale < q.scale, math.inf, found)


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_normal(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError(
            "KL-divergence between two Multivariate Normals with different event shapes cannot be "
            "computed"
        )
    from .. import linalg

    spread = linalg.solve_triangular(q._tril, p._tril, upper=False).pow(2).sum((-2, -1))
    distance = mahalanobis(q._tril, q.loc - p.loc)
    logs = q._half_log_det() - p._half_log_det()
    return logs + 0.5 * (spread + distance - p.event_shape[0])


@register_kl(Independent, Independent)
def _independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Uniform, Normal)
def _uniform_normal(p, q):
    width = p.high - p.low
    off = ((p.high + p.low - 2 * q.loc) / 2).pow(2)
    density = (math.sqrt(math.pi * 2) * q.scale / width).log()
    return density + 0.5 * (width.pow(2) / 12 + off) / q.scale.pow(2)


@register_kl(Normal, Laplace)
def _normal_laplace(p, q):
    away = p.loc - q.loc
    ratio, standard = p.scale / q.scale, away / p.scale
    near = math.sqrt(2 / math.pi) * p.scale * (-0.5 * standard.pow(2)).exp()
    far = away * (math.sqrt(0.5) * standard).erf()
    constant = -ratio.log() - (0.5 + 0.5 * math.log(0.5 * math.pi))
    return constant + (near + far) / q.scale


@register_kl(Laplace, Normal)
def _laplace_normal(p, q):
    variance = q.scale.pow(2)
    ratio = p.scale.pow(2) / variance
    constant = 0.5 * (2 * ratio / math.pi).log()
    products = 0.5 * p.loc.pow(2) - p.loc * q.loc + 0.5 * q.loc.pow(2)
    return -constant + ratio + products / variance - 1

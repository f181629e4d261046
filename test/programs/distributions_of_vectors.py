"""torch.distributions: relaxed, multivariate, transformed and mixed ones, and divergences."""

# %% relaxed
# leaf l float32 2,4
from torch.distributions import RelaxedOneHotCategorical, RelaxedBernoulli

t = torch.tensor(0.7)
d = RelaxedOneHotCategorical(t, logits=l)
r1 = d.rsample((2,))
r2 = d.log_prob(r1.detach())
r3 = d.probs
r4 = d.temperature
d = RelaxedBernoulli(t, logits=l)
r5 = d.rsample((2,))
r6 = d.log_prob(r5.detach())
r7 = d.event_shape
d = RelaxedBernoulli(t, probs=torch.tensor([0.2, 0.8]))
r8 = d.rsample()

# %% multivariate normal
# leaf m float32 2,3
# leaf A float32 3,3
from torch.distributions import MultivariateNormal, kl_divergence

C = A @ A.T + torch.eye(3)
d = MultivariateNormal(m, C)
r1 = d.rsample((2,))
r2 = d.log_prob(r1.detach())
r3 = d.entropy()
r4 = d.variance
r5 = d.covariance_matrix
r6 = d.scale_tril
e = MultivariateNormal(torch.zeros(3), scale_tril=torch.linalg.cholesky(C))
r7 = e.log_prob(m)
r8 = kl_divergence(d, e)
r9 = e.sample()
f = MultivariateNormal(m, precision_matrix=C)
r10 = f.log_prob(torch.zeros(2, 3))
r11 = f.covariance_matrix
r12 = f.precision_matrix
r13 = d.mode
r14 = d.precision_matrix
r15 = d.batch_shape
r16 = d.event_shape
try:
    MultivariateNormal(m)
except Exception as e:
    r17 = str(e)

# %% transformed
# leaf m float32 2,3
# leaf s float32 2,3 positive
from torch.distributions import (
    Normal,
    TransformedDistribution,
    Uniform,
    TanhTransform,
    AffineTransform,
    SigmoidTransform,
    ComposeTransform,
    Independent,
)
from torch.distributions.transforms import (
    ExpTransform,
    SoftplusTransform,
    PowerTransform,
    IndependentTransform,
    StickBreakingTransform,
    SoftmaxTransform,
)

d = TransformedDistribution(Normal(m, s), [TanhTransform(cache_size=1)])
x = d.rsample()
r1 = x
r2 = d.log_prob(x)
d = TransformedDistribution(Normal(m, s), [TanhTransform(), AffineTransform(0.5, 2.0)])
x = d.rsample((2,))
r3 = x
r4 = d.log_prob(x.detach())
d = TransformedDistribution(
    Uniform(torch.zeros(3), torch.ones(3)),
    [SigmoidTransform().inv, AffineTransform(loc=m[0], scale=s[0])],
)
r5 = d.rsample()
r6 = d.log_prob(r5.detach())
r7 = d.cdf(r5.detach())
r8 = d.icdf(torch.tensor([0.1, 0.5, 0.9]))
d = TransformedDistribution(Independent(Normal(m, s), 1), IndependentTransform(TanhTransform(), 1))
r9 = d.rsample()
r10 = d.log_prob(r9.detach())
r11 = d.event_shape
d = TransformedDistribution(Normal(m, s), StickBreakingTransform())
r12 = d.rsample()
r13 = d.log_prob(r12.detach())
r14 = d.event_shape
t = ComposeTransform([ExpTransform(), PowerTransform(2.0), SoftplusTransform()])
r15 = t(m)
r16 = t.inv(r15)
r17 = t.log_abs_det_jacobian(m, r15)
r18 = SoftmaxTransform()(m)
r19 = TanhTransform() == TanhTransform()
r20 = AffineTransform(1.0, 2.0).sign

# %% mixtures
# leaf m float32 2,3
# leaf s float32 2,3 positive
from torch.distributions import Normal, MixtureSameFamily, Categorical, Independent

d = MixtureSameFamily(
    Categorical(logits=torch.tensor([[0.1, 0.2, 0.3], [1.0, 2.0, 0.0]])), Normal(m, s)
)
r1 = d.sample((3,))
r2 = d.log_prob(r1)
r3 = d.mean
r4 = d.variance
d = MixtureSameFamily(Categorical(torch.ones(2)), Independent(Normal(m, s), 1))
r5 = d.sample((2,))
r6 = d.log_prob(r5)
r7 = d.mean
r8 = d.event_shape

# %% von Mises
# leaf m float32 3
from torch.distributions import VonMises

d = VonMises(m, torch.tensor([0.5, 4.0, 20.0]))
r1 = d.sample((4,))
r2 = d.log_prob(r1)
r3 = d.mean
r4 = d.variance
r5 = torch.rand(2)

# %% divergences
# leaf m float32 3
# leaf s float32 3 positive
from torch.distributions import *

k = kl_divergence
r1 = k(Normal(m, s), Normal(m * 2, s + 1))
r2 = k(Laplace(m, s), Laplace(m * 2, s + 1))
r3 = k(Exponential(s), Exponential(s + 1))
r4 = k(Uniform(m, m + s), Uniform(m - 1, m + s + 1))
r5 = k(Uniform(m, m + s), Uniform(m + 1, m + s + 1))
r6 = k(Bernoulli(logits=m), Bernoulli(logits=m * 2))
r7 = k(Gumbel(m, s), Gumbel(m * 2, s + 1))
r8 = k(Poisson(s), Poisson(s + 1))
r9 = k(Geometric(logits=m), Geometric(logits=m * 2))
r10 = k(HalfNormal(s), HalfNormal(s + 1))
r11 = k(LogNormal(m, s), LogNormal(m * 2, s + 1))
r12 = k(Uniform(m, m + s), Normal(m, s))
r13 = k(Normal(m, s), Laplace(m, s + 1))
r14 = k(Laplace(m, s), Normal(m * 2, s))
r15 = k(Binomial(5, logits=m), Binomial(5, logits=m * 2))
r16 = k(Pareto(s, s + 1), Pareto(s * 0.9, s))
r17 = k(Bernoulli(torch.tensor([0.0, 1.0, 0.5])), Bernoulli(torch.tensor([0.5, 0.5, 0.0])))
try:
    k(Normal(m, s), Bernoulli(logits=m))
except NotImplementedError:
    r18 = 1

# %% modules of each
from torch.distributions.normal import Normal
from torch.distributions.categorical import Categorical
from torch.distributions.kl import kl_divergence, register_kl
import torch.distributions.constraints as constraints
import torch.distributions as D


@register_kl(D.Normal, D.Uniform)
def rule(p, q):
    return p.loc


r1 = kl_divergence(Normal(1.0, 2.0), D.Uniform(0.0, 1.0))
r2 = D.normal.Normal is Normal
r3 = D.multivariate_normal.MultivariateNormal.__name__
r4 = constraints.positive.check(torch.tensor([1.0, -1.0]))
r5 = repr(constraints.positive)


class Own(D.Distribution):
    arg_constraints = {"loc": constraints.real}
    support = constraints.real

    def __init__(self, loc):
        self.loc = loc
        super().__init__(loc.shape)

    def log_prob(self, value):
        return -(value - self.loc).abs()


r6 = Own(torch.ones(2)).log_prob(torch.zeros(2))
r7 = repr(Own(torch.ones(2)))
r8 = Own(torch.ones(2)).batch_shape

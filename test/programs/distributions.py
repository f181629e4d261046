"""torch.distributions: draws, densities, gradients."""

# %% normal
# leaf m float32 2,3
# leaf s float32 2,3 positive
from torch.distributions import Normal

d = Normal(m, s)
r1 = d.sample((2,))
r2 = d.rsample((2,))
r3 = d.log_prob(r1)
r4 = d.entropy()
r5 = d.cdf(r1)
r6 = d.icdf(torch.rand(2, 3))
r7 = d.mean
r8 = d.variance
r9 = d.stddev
r10 = repr(Normal(0.0, 1.0))
r11 = repr(d)
r12 = d.expand((4, 2, 3)).rsample()
r13 = Normal(0.0, 2.0).rsample((20,))
r14 = d.batch_shape
r15 = d.mode
try:
    d.log_prob(torch.ones(4))
except Exception as e:
    r16 = str(e)

# %% independent
# leaf m float32 2,3
# leaf s float32 2,3 positive
from torch.distributions import Normal, Independent, kl_divergence

d = Independent(Normal(m, s), 1)
e = Independent(Normal(torch.zeros(2, 3), torch.ones(2, 3)), 1)
r1 = d.rsample()
r2 = d.log_prob(r1.detach())
r3 = d.entropy()
r4 = kl_divergence(d, e)
r5 = d.batch_shape
r6 = d.event_shape
r7 = d.expand((4, 2)).mean
r8 = d.variance

# %% uniform, exponential, laplace, cauchy
# leaf m float32 3
# leaf s float32 3 positive
from torch.distributions import Uniform, Exponential, Laplace, Cauchy

torch.manual_seed(3)
d = Uniform(m, m + s)
r1 = d.rsample((2,))
r2 = d.log_prob(d.mean.detach())
r3 = d.entropy()
r4 = d.cdf(d.mean.detach() + 0.1)
r5 = d.variance
d = Exponential(s)
r6 = d.rsample((2,))
r7 = d.log_prob(r6.detach())
r8 = d.entropy()
r9 = d.cdf(r6.detach())
r10 = d.icdf(torch.rand(3))
d = Laplace(m, s)
r11 = d.rsample((2,))
r12 = d.log_prob(r11.detach())
r13 = d.entropy()
r14 = d.cdf(r11.detach())
r15 = d.icdf(torch.rand(3))
r16 = d.stddev
d = Cauchy(m, s)
r17 = d.rsample((2,))
r18 = d.log_prob(r17.detach())
r19 = d.entropy()
r20 = d.cdf(r17.detach())
r21 = repr(Laplace(0.0, 1.0)) + repr(Uniform(0.0, 1.0))
r22 = torch.rand(3)

# %% gumbel, log normal, halves
# leaf m float32 3
# leaf s float32 3 positive
from torch.distributions import Gumbel, LogNormal, HalfNormal, HalfCauchy, Pareto, Weibull

d = Gumbel(m, s)
r1 = d.rsample((2,))
r2 = d.log_prob(r1.detach())
r3 = d.entropy()
r4 = d.mean
r5 = d.variance
d = LogNormal(m, s)
r6 = d.rsample((2,))
r7 = d.log_prob(r6.detach())
r8 = d.entropy()
r9 = d.mean
r10 = d.variance
r11 = d.mode
d = HalfNormal(s)
r12 = d.rsample((2,))
r13 = d.log_prob(r12.detach())
r14 = d.entropy()
r15 = d.mean
d = HalfCauchy(s)
r16 = d.rsample((2,))
r17 = d.log_prob(r16.detach())
r18 = d.entropy()
d = Pareto(s, s + 1)
r19 = d.rsample((2,))
r20 = d.log_prob(r19.detach())
r21 = d.entropy()
r22 = d.mean
d = Weibull(s, s + 1)
r23 = d.rsample((2,))
r24 = d.log_prob(r23.detach())
r25 = d.entropy()
r26 = d.mean

# %% gamma family
from torch.distributions import Gamma, Beta, Dirichlet, Chi2, StudentT, InverseGamma

a = torch.tensor([0.3, 1.0, 2.5, 30.0])
b = torch.tensor([1.0, 2.0, 0.5, 3.0])
d = Gamma(a, b)
r1 = d.sample((5,))
r2 = d.log_prob(r1)
r3 = d.entropy()
r4 = d.mean
r5 = d.mode
r6 = d.variance
d = Beta(a, b)
r7 = d.sample((5,))
r8 = d.log_prob(r7)
r9 = d.entropy()
r10 = d.mean
r11 = d.variance
d = Dirichlet(torch.stack([a, b]))
r12 = d.sample((2,))
r13 = d.log_prob(r12)
r14 = d.entropy()
r15 = d.mean
r16 = d.variance
r17 = d.batch_shape
d = Chi2(a)
r18 = d.sample((3,))
r19 = d.log_prob(r18)
d = StudentT(a + 2.5, b, b)
r20 = d.sample((3,))
r21 = d.log_prob(r20)
r22 = d.entropy()
r23 = d.mean
r24 = d.variance
d = InverseGamma(a, b)
r25 = d.sample((3,))
r26 = d.log_prob(r25)
r27 = d.entropy()
r28 = torch.rand(3)
r29 = torch._standard_gamma(a.double())
r30 = repr(Gamma(1.0, 2.0))

# %% gradients of densities
# leaf a float32 3 positive
# leaf b float32 3 positive
from torch.distributions import Gamma, Beta, Dirichlet, StudentT, kl_divergence

v = torch.tensor([0.2, 0.5, 0.3])
r1 = Gamma(a, b).log_prob(v)
r2 = Beta(a, b).log_prob(v)
r3 = Dirichlet(a).log_prob(v)
r4 = StudentT(a, b).log_prob(v)
r5 = Gamma(a, b).entropy()
r6 = Beta(a, b).entropy()
r7 = Dirichlet(a).entropy()
r8 = kl_divergence(Gamma(a, b), Gamma(b, a))
r9 = kl_divergence(Beta(a, b), Beta(b, a))
r10 = kl_divergence(Dirichlet(a), Dirichlet(b))

# %% counts
# leaf p float32 4 share
from torch.distributions import Bernoulli, Geometric, Poisson, Binomial, Multinomial

d = Bernoulli(p)
r1 = d.sample((3,))
r2 = d.log_prob(r1)
r3 = d.entropy()
r4 = d.mean
r5 = d.variance
r6 = d.logits
r7 = d.enumerate_support()
d = Bernoulli(logits=p)
r8 = d.sample((3,))
r9 = d.log_prob(r8)
r10 = d.entropy()
r11 = d.probs
d = Geometric(p)
r12 = d.sample((3,))
r13 = d.log_prob(r12)
r14 = d.entropy()
d = Poisson(torch.tensor([0.5, 3.0, 12.0, 40.0]))
r15 = d.sample((4,))
r16 = d.log_prob(r15)
d = Binomial(5, p)
r17 = d.log_prob(torch.tensor([0.0, 1.0, 5.0, 3.0]))
r18 = d.mean
r19 = d.variance
d = Multinomial(6, p)
r20 = d.sample((2,))
r21 = d.log_prob(r20)
r22 = repr(Bernoulli(torch.tensor(0.5)))
r23 = torch.rand(2)

# %% classes
# leaf l float32 2,4
from torch.distributions import (
    Categorical,
    OneHotCategorical,
    OneHotCategoricalStraightThrough,
    kl_divergence,
)

d = Categorical(logits=l)
r11 = repr(d)
r1 = d.sample()
r2 = d.sample((3,))
r3 = d.log_prob(r2)
r4 = d.entropy()
r5 = d.mode
r6 = d.probs
r7 = d.enumerate_support()
r8 = d.expand((3, 2)).log_prob(r1)
e = Categorical(probs=torch.tensor([0.1, 0.2, 0.3, 0.4]))
r9 = e.sample((5,))
r10 = kl_divergence(d, e)
r12 = repr(Categorical(probs=torch.ones(4)))
d = OneHotCategorical(logits=l)
r13 = d.sample((2,))
r14 = d.log_prob(r13)
r15 = d.entropy()
r16 = d.mode
r17 = d.event_shape
d = OneHotCategoricalStraightThrough(logits=l)
r18 = d.rsample((2,))
r19 = kl_divergence(d, OneHotCategoricalStraightThrough(logits=torch.zeros(2, 4)))

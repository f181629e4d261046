"""Distributions that few models use, and gradients of samples by their concentrations."""

# %% gamma samples by their concentrations
# leaf a float32 4,5 positive
# leaf b float64 3,4 positive
import torch.distributions as D

torch.manual_seed(5)
r1 = D.Gamma(a * 3, a).rsample((2,))
r2 = D.Gamma(b * b * 4, 1.0).rsample()
r3 = D.Gamma(a * 0.1, 2.0).rsample()
r4 = D.Chi2(b).rsample()
r5 = D.StudentT(a + 1, 0.0, 1.0).rsample()
r6 = D.Gamma(b * 30, 1.0).rsample()
r7 = D.InverseGamma(a, 1.0).rsample()

# %% shares by their concentrations
# leaf a float32 4,5 positive
# leaf b float64 3,4 positive
import torch.distributions as D

torch.manual_seed(6)
w = torch.arange(5.0)
r1 = D.Dirichlet(a).rsample((2,)) * w
r2 = D.Beta(b * 2, b).rsample((3,))
r3 = D.Dirichlet(a * 20).rsample() * w
r4 = D.Beta(b * 0.1, b.flip(0) * 0.1).rsample((3,))
r5 = D.Beta(a * 5, a + 7).rsample()
r6 = D.Dirichlet(b * 3 + 6).rsample() * torch.arange(4.0, dtype=torch.float64)

# %% binomial samples
import torch.distributions as D

torch.manual_seed(7)
r1 = D.Binomial(20, torch.rand(50)).sample()
r2 = D.Binomial(torch.tensor([5.0, 100.0, 1000.0]), torch.tensor([0.3, 0.5, 0.9])).sample((20,))
r3 = torch.rand(2)
r4 = D.Binomial(40, torch.full((30,), 0.45, dtype=torch.float64)).sample()
r5 = D.Binomial(3, logits=torch.tensor([0.3, -1.0])).sample((5,))
r6 = torch.binomial(torch.tensor([10.0, 0.0, 7.0]), torch.tensor([0.0, 0.5, 1.0]))
d = D.Binomial(3, torch.tensor([0.3, 0.8]))
r7 = d.enumerate_support()
r8 = d.entropy()
r9 = d.mode
r10 = repr(d)

# %% negative binomial
# leaf l float32 2,3
import torch.distributions as D

torch.manual_seed(8)
d = D.NegativeBinomial(torch.tensor([1.0, 5.0, 20.0]), logits=l)
r1 = d.sample((4,))
r2 = d.log_prob(r1)
r3 = d.mean + d.variance
r4 = d.mode
r5 = repr(d)
r6 = D.NegativeBinomial(3, torch.tensor([0.2, 0.7])).expand((2, 2)).sample()
r7 = D.NegativeBinomial(0.0, probs=torch.tensor([0.2])).log_prob(torch.tensor([0.0, 1.0]))

# %% continuous Bernoulli
# leaf l float64 2,3
import torch.distributions as D

torch.manual_seed(8)
d = D.ContinuousBernoulli(logits=l)
r1 = d.rsample((4,))
r2 = d.log_prob(r1.detach())
r3 = d.entropy()
r4 = d.mean
r5 = d.variance
r6 = d.cdf(torch.tensor([0.1, 0.5, 0.9]))
e = D.ContinuousBernoulli(torch.tensor([0.0, 0.3, 0.4995, 0.5, 0.9]))
r7 = e.log_prob(torch.tensor([0.1, 0.2, 0.3, 0.4, 1.0]))
r8 = e.stddev
r9 = repr(e)
r10 = D.kl_divergence(e, D.ContinuousBernoulli(torch.full((5,), 0.2)))

# %% Kumaraswamy
# leaf a float32 3 positive
# leaf b float32 3 positive
import torch.distributions as D

torch.manual_seed(8)
d = D.Kumaraswamy(a, b)
r1 = d.rsample((4,))
r2 = d.log_prob(r1.detach())
r3 = d.entropy()
r4 = d.mean
r5 = d.variance
r6 = d.mode.detach()
r7 = repr(d)
r8 = d.expand((2, 3)).rsample()

# %% F
# leaf a float32 3 positive
# leaf b float32 3 positive
import torch.distributions as D

torch.manual_seed(8)
d = D.FisherSnedecor(a * 3, b * 3)
r1 = d.rsample((4,))
r2 = d.log_prob(r1.detach())
r3 = D.FisherSnedecor(3.0, 5.0).mean
r4 = D.FisherSnedecor(torch.tensor([3.0, 1.0]), torch.tensor([5.0, 1.0])).variance
r5 = D.FisherSnedecor(torch.tensor([3.0, 1.0]), torch.tensor([5.0, 1.0])).mode
r6 = repr(d)
r7 = d.expand((2, 3)).sample()

# %% generalized Pareto
# leaf m float32 3
# leaf s float32 3 positive
import torch.distributions as D

torch.manual_seed(8)
d = D.GeneralizedPareto(m, s, torch.tensor([0.3, 0.0, -0.4]))
r1 = d.rsample((4,))
r2 = d.log_prob(r1.detach())
r3 = d.cdf(r1.detach())
r4 = d.mean
r5 = d.variance
r6 = d.entropy()
r7 = repr(d)

# %% normal vectors of low rank
# leaf m float32 2,4
# leaf w float32 4,2
# leaf d float32 4 positive
import torch.distributions as D

torch.manual_seed(8)
n = D.LowRankMultivariateNormal(m, w, d)
r1 = n.rsample((3,))
r2 = n.log_prob(r1.detach())
r3 = n.entropy()
r4 = n.covariance_matrix
r5 = n.precision_matrix
r6 = n.scale_tril
r7 = n.variance
r8 = repr(n)
r9 = n.expand((3, 2)).rsample()
q = D.MultivariateNormal(torch.zeros(4), torch.eye(4) * 2)
r11 = D.kl_divergence(n, q)
r12 = D.kl_divergence(q, n)
r13 = D.kl_divergence(n, D.LowRankMultivariateNormal(torch.zeros(4), torch.ones(4, 1), torch.ones(4)))
try:
    D.LowRankMultivariateNormal(torch.zeros(3), torch.ones(2, 1), torch.ones(3))
except ValueError as e:
    r10 = str(e)

# %% correlations
# leaf c float32 2 positive
import torch.distributions as D

torch.manual_seed(8)
d = D.LKJCholesky(3, c)
r1 = d.sample((2,))
r2 = d.log_prob(r1)
r3 = D.LKJCholesky(4, 0.5).sample()
r4 = repr(d)
r5 = d.expand((3, 2)).sample()
try:
    d.log_prob(torch.ones(3, 3))
except ValueError as e:
    r6 = str(e)

# %% scatter matrices
# leaf t float32 3,3
import torch.distributions as D

torch.manual_seed(8)
v = torch.eye(3) + 0.1
d = D.Wishart(torch.tensor([4.0, 6.5]), v)
r1 = d.rsample((2,))
r2 = d.log_prob(r1)
r3 = d.entropy()
r4 = d.mean
r5 = d.mode
r6 = d.variance
r7 = repr(d)
e = D.Wishart(5.0, scale_tril=t.tril(-1) * 0.1 + torch.eye(3))
r8 = e.rsample()
r9 = e.log_prob(v)
r10 = D.Wishart(5.0, precision_matrix=v).sample()
try:
    D.Wishart(1.0, v)
except ValueError as e:
    r11 = str(e)

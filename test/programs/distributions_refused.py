"""torch.distributions: what parameters and values are refused for."""

# %% parameters that break their constraints
import torch.distributions as D

made = [
    lambda: D.Normal(0, -1),
    lambda: D.Normal(torch.tensor([0.0, float("nan")]), 1.0),
    lambda: D.Normal(torch.zeros(3), torch.tensor([1.0, 0.0, 2.0])),
    lambda: D.Categorical(torch.tensor([[-0.5, 0.5]])),
    lambda: D.Categorical(logits=torch.tensor([0.1, float("nan")])),
    lambda: D.Bernoulli(1.5),
    lambda: D.Gamma(torch.tensor([1.0, -1.0]), 1.0),
    lambda: D.Beta(1.0, -1.0),
    lambda: D.Dirichlet(torch.tensor([1.0, 0.0])),
    lambda: D.Chi2(-2.0),
    lambda: D.Uniform(1.0, 0.0),
    lambda: D.Exponential(torch.tensor([0.0])),
    lambda: D.Poisson(-1.0),
    lambda: D.Geometric(torch.tensor([0.0, 0.5])),
    lambda: D.MultivariateNormal(torch.zeros(2), torch.tensor([[1.0, 2.0], [2.0, 1.0]])),
    lambda: D.MultivariateNormal(torch.zeros(2), scale_tril=torch.tensor([[1.0, 2.0], [2.0, 1.0]])),
    lambda: D.Laplace(0.0, torch.tensor(-1.0)),
    lambda: D.StudentT(-1.0),
    lambda: D.LogNormal(0.0, -1.0),
    lambda: D.HalfNormal(-1.0),
    lambda: D.Normal(0, -1, validate_args=False),
    lambda: D.OneHotCategorical(torch.tensor([-1.0, 2.0])),
    lambda: D.VonMises(0.0, -1.0),
    lambda: D.Binomial(-1, torch.tensor([0.5])),
]
r1 = []
for make in made:
    try:
        r1.append(repr(make()))
    except Exception as e:
        r1.append(type(e).__name__ + ": " + str(e))

# %% values outside of a support
import torch.distributions as D

asked = [
    (D.Bernoulli(0.5), torch.tensor([0.5])),
    (D.Uniform(0.0, 1.0), torch.tensor([2.0])),
    (D.Exponential(1.0), torch.tensor([-1.0, 1.0])),
    (D.Categorical(torch.ones(3)), torch.tensor([3])),
    (D.Gamma(1.0, 1.0), torch.tensor(-1.0)),
    (D.Normal(0.0, 1.0), torch.tensor([float("nan")])),
    (D.Dirichlet(torch.ones(2)), torch.tensor([0.5, 0.6])),
    (D.Beta(1.0, 1.0), torch.tensor(1.5)),
    (D.Poisson(1.0), torch.tensor(0.5)),
    (D.Multinomial(2, torch.ones(2)), torch.tensor([2.0, 1.0])),
    (D.OneHotCategorical(torch.ones(2)), torch.tensor([1.0, 1.0])),
    (D.Independent(D.Exponential(torch.ones(2)), 1), torch.tensor([-1.0, 1.0])),
    (D.Binomial(3, torch.tensor([0.5])), torch.tensor([4.0])),
    (D.LogNormal(0.0, 1.0), torch.tensor([-1.0])),
    (D.Normal(0.0, 1.0), 0.5),
]
r1 = []
for d, value in asked:
    try:
        r1.append(str(d.log_prob(value)))
    except Exception as e:
        r1.append(type(e).__name__ + ": " + str(e))

# %% a check of what a run computes
# leaf x float32 2,3
import torch.distributions as D

r1 = D.Normal(x * 2, x.exp()).log_prob(x.detach())
r2 = D.Normal(x, 1.0, validate_args=False).log_prob(x.detach() - 2)

# %% parameters of distributions that others make up
import torch.distributions as D

made = [
    lambda: D.Weibull(1.0, -1.0),
    lambda: D.Pareto(-1.0, 1.0),
    lambda: D.InverseGamma(1.0, -1.0),
    lambda: D.LogisticNormal(torch.zeros(2), torch.tensor([1.0, -1.0])),
    lambda: D.Gumbel(0.0, -1.0),
    lambda: D.HalfCauchy(-1.0),
    lambda: D.Weibull(1.0, 2.0),
    lambda: D.Pareto(1.0, 2.0),
    lambda: D.InverseGamma(1.0, 2.0),
    lambda: D.Gumbel(0.0, 1.0),
    lambda: D.LogNormal(0.0, 1.0, validate_args=False),
]
r1 = []
for make in made:
    try:
        r1.append(repr(make()))
    except Exception as e:
        r1.append(type(e).__name__ + ": " + str(e))

# %% computed parameters are looked at
# leaf x float32 2,3
D = torch.distributions
r0 = D.Normal(x, x.exp()).rsample()
r1 = D.Normal(x, x - 9)

# %% computed parameters that are no numbers
# leaf x float32 3
r1 = torch.distributions.Normal((x - 9).sqrt(), 1.0)

# %% computed concentrations below 0
# leaf x float32 3
r1 = torch.distributions.Beta(x - 9, x.exp())

# %% a computed value outside of the support
# leaf x float32 3
r1 = torch.distributions.Exponential(x.exp()).log_prob(x - 9)

# %% draws of concentrations below 0 end
x = torch.tensor([-1.5, -0.5, float('nan')])
r0 = torch.distributions.Gamma(x, torch.ones(3), validate_args=False).sample()
r1 = torch.distributions.Beta(x[:2], torch.ones(2), validate_args=False).sample()
r2 = torch.rand(2)

# %% what is repeated is still looked at
r0 = torch.distributions.Exponential(torch.ones(1)).expand([2]).log_prob(torch.tensor([-1.0, 1.0]))

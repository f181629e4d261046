"""torch.distributions: the distributions that models draw from."""

import sys
import types

from .._unsupported import missing as _missing
from . import constraints, transforms  # noqa: F401
from ._base import Distribution, ExponentialFamily, Independent
from ._counts import Binomial, Multinomial, NegativeBinomial
from ._discrete import (
    Bernoulli,
    Categorical,
    Geometric,
    OneHotCategorical,
    OneHotCategoricalStraightThrough,
    Poisson,
)
from ._gammas import Beta, Chi2, Dirichlet, Gamma, StudentT
from ._kl import kl_divergence, register_kl
from ._matrices import LKJCholesky, LowRankMultivariateNormal, Wishart
from ._multivariate import MixtureSameFamily, MultivariateNormal
from ._real import Cauchy, Exponential, Laplace, Normal, Uniform, VonMises
from ._relaxed import (
    ExpRelaxedCategorical,
    LogitRelaxedBernoulli,
    RelaxedBernoulli,
    RelaxedOneHotCategorical,
)
from ._shares import ContinuousBernoulli, FisherSnedecor, GeneralizedPareto, Kumaraswamy
from ._transformed import (
    Gumbel,
    HalfCauchy,
    HalfNormal,
    InverseGamma,
    LogisticNormal,
    LogNormal,
    Pareto,
    TransformedDistribution,
    Weibull,
)
from .transforms import *  # noqa: F403

# The modules that PyTorch has them in.
_PLACES = {
    "bernoulli": [Bernoulli],
    "beta": [Beta],
    "binomial": [Binomial],
    "categorical": [Categorical],
    "cauchy": [Cauchy],
    "chi2": [Chi2],
    "continuous_bernoulli": [ContinuousBernoulli],
    "dirichlet": [Dirichlet],
    "distribution": [Distribution],
    "exp_family": [ExponentialFamily],
    "exponential": [Exponential],
    "fishersnedecor": [FisherSnedecor],
    "gamma": [Gamma],
    "generalized_pareto": [GeneralizedPareto],
    "geometric": [Geometric],
    "gumbel": [Gumbel],
    "half_cauchy": [HalfCauchy],
    "half_normal": [HalfNormal],
    "independent": [Independent],
    "inverse_gamma": [InverseGamma],
    "kl": [kl_divergence, register_kl],
    "kumaraswamy": [Kumaraswamy],
    "laplace": [Laplace],
    "lkj_cholesky": [LKJCholesky],
    "log_normal": [LogNormal],
    "logistic_normal": [LogisticNormal],
    "lowrank_multivariate_normal": [LowRankMultivariateNormal],
    "mixture_same_family": [MixtureSameFamily],
    "multinomial": [Multinomial],
    "multivariate_normal": [MultivariateNormal],
    "negative_binomial": [NegativeBinomial],
    "normal": [Normal],
    "one_hot_categorical": [OneHotCategorical, OneHotCategoricalStraightThrough],
    "pareto": [Pareto],
    "poisson": [Poisson],
    "relaxed_bernoulli": [LogitRelaxedBernoulli, RelaxedBernoulli],
    "relaxed_categorical": [ExpRelaxedCategorical, RelaxedOneHotCategorical],
    "studentT": [StudentT],
    "transformed_distribution": [TransformedDistribution],
    "uniform": [Uniform],
    "von_mises": [VonMises],
    "weibull": [Weibull],
    "wishart": [Wishart],
}


def _place(name, members):
    module = types.ModuleType(f"{__name__}.{name}")
    for member in members:
        setattr(module, member.__name__, member)
        member.__module__ = module.__name__
    sys.modules[module.__name__] = module
    globals()[name] = module


for _name, _members in _PLACES.items():
    _place(_name, _members)

_inner = ("ExpRelaxedCategorical", "LogitRelaxedBernoulli")
__all__ = sorted(
    {member.__name__ for members in _PLACES.values() for member in members}.difference(_inner)
    | {"constraints", "transforms", *transforms.__all__}
)


def __getattr__(name):
    raise _missing("torch.distributions", name, globals())

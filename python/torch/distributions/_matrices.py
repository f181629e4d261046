"""Distributions of matrices, and of vectors whose covariance is of low rank."""

import math
import warnings

from .. import linalg
from .._call import call
from .._dtypes import Size, finfo
from .._functions import broadcast_shapes, broadcast_tensors
from .._tensor import Tensor
from . import constraints
from ._base import Distribution, ExponentialFamily, computed, together
from ._gammas import Beta, Chi2
from ._multivariate import factor_of, mahalanobis, one_matrix
from ._real import standard_normal


def _eye(like):
    return call("eye", (like.shape[-1],), {"dtype": like.dtype})


def _log_diagonal(tril):
    return tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def _times(matrix, vector):
    return (matrix @ vector.unsqueeze(-1)).squeeze(-1)


class LowRankMultivariateNormal(Distribution):
    """Of the covariance W Wᵀ + D, by Woodbury's identity: C = I + Wᵀ D⁻¹ W."""

    has_rsample = True
    arg_constraints = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event_shape = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError(
                "cov_factor must be at least two-dimensional, "
                "with optional leading batch dimensions"
            )
        if cov_factor.shape[-2:-1] != event_shape:
            raise ValueError(
                f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m"
            )
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
        columns = loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1)
        locs, self.cov_factor, diagonals = broadcast_tensors(*columns)
        self.loc, self.cov_diag = locs[..., 0], diagonals[..., 0]
        self._w, self._d = cov_factor, cov_diag
        self._c = self._capacitance(cov_factor.mT / cov_diag.unsqueeze(-2), cov_factor)
        super().__init__(self.loc.shape[:-1], event_shape, validate_args=validate_args)

    @staticmethod
    def _capacitance(left, right):
        product = left @ right
        return linalg.cholesky(product + _eye(product))

    def expand(self, batch_shape, _instance=None):
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        shape = Size([*batch_shape, *self.event_shape])
        made.loc, made.cov_diag = self.loc.expand(shape), self.cov_diag.expand(shape)
        made.cov_factor = self.cov_factor.expand((*shape, self.cov_factor.shape[-1]))
        Distribution.__init__(made, batch_shape, self.event_shape, validate_args=False)
        return made

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def variance(self):
        return (self._w.pow(2).sum(-1) + self._d).expand(self._extended_shape())

    def _square(self, matrix):
        return matrix.expand(Size([*self._extended_shape(), *self.event_shape]))

    @property
    def scale_tril(self):
        root = self._d.sqrt().unsqueeze(-1)
        share = self._w / root
        return self._square(root * self._capacitance(share, share.mT))

    @property
    def covariance_matrix(self):
        return self._square(self._w @ self._w.mT + call("diag_embed", (self._d,), {}))

    @property
    def precision_matrix(self):
        a = linalg.solve_triangular(self._c, self._w.mT / self._d.unsqueeze(-2), upper=False)
        return self._square(call("diag_embed", (self._d.reciprocal(),), {}) - a.mT @ a)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        along = standard_normal((*shape[:-1], self.cov_factor.shape[-1]), self.loc)
        across = standard_normal(shape, self.loc)
        return self.loc + _times(self._w, along) + self._d.sqrt() * across

    def log_det(self):
        return 2 * _log_diagonal(self._c) + self._d.log().sum(-1)

    def log_prob(self, value):
        self._validate_sample(value)
        x = value - self.loc
        along = _times(self._w.mT / self._d.unsqueeze(-2), x)
        distance = (x.pow(2) / self._d).sum(-1) - mahalanobis(self._c, along)
        constant = self.event_shape[0] * math.log(2 * math.pi)
        return -0.5 * (constant + self.log_det() + distance)

    def entropy(self):
        constant = self.event_shape[0] * (1.0 + math.log(2 * math.pi))
        found = 0.5 * (constant + self.log_det())
        return found.expand(self.batch_shape) if len(self.batch_shape) else found


class LKJCholesky(Distribution):
    """Factors of correlation matrices (Lewandowski, Kurowicka and Joe, 2009), by the onion method."""

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(
                f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}."
            )
        self.dim = dim
        (self.concentration,) = together(concentration)
        rows = self.concentration.new_tensor([0.0, *range(dim - 1)])
        marginal = self.concentration + 0.5 * (dim - 2)
        self._beta = Beta(rows + 0.5, marginal.unsqueeze(-1) - 0.5 * rows)
        super().__init__(self.concentration.shape, (dim, dim), validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.concentration = self.concentration.expand(tuple(batch_shape))
        made._beta = self._beta.expand((*batch_shape, self.dim))
        Distribution.__init__(made, batch_shape, self.event_shape, validate_args=False)
        return made

    def sample(self, sample_shape=()):
        y = self._beta.sample(sample_shape).unsqueeze(-1)
        shape = self._extended_shape(sample_shape)
        normal = call("randn", (shape,), {"dtype": y.dtype}).tril(-1)
        # The first row has no length.
        w = y.sqrt() * (normal / normal.norm(dim=-1, keepdim=True)).nan_to_num(0.0)
        rest = (1 - (w**2).sum(-1)).clamp(min=finfo(w.dtype).tiny)
        return w + call("diag_embed", (rest.sqrt(),), {})

    def log_prob(self, value):
        self._validate_sample(value)
        below = self.dim - 1
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = self.concentration.new_tensor([self.dim - row for row in range(2, self.dim + 1)])
        order = 2 * (self.concentration - 1).unsqueeze(-1) + order
        alpha = self.concentration + 0.5 * below
        norm = 0.5 * below * math.log(math.pi) - alpha.lgamma() * below
        norm = norm + (alpha - 0.5).mvlgamma(below)
        return (order * diagonal.log()).sum(-1) - norm


class Wishart(ExponentialFamily):
    """Scatter matrices of `df` normal vectors, by Bartlett's decomposition."""

    has_rsample = True
    arg_constraints = {
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
        "df": constraints.greater_than(0),
    }
    support = constraints.positive_definite
    parameters = ("df", "covariance_matrix", "precision_matrix", "scale_tril")

    def __init__(
        self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None
    ):
        name, matrix = one_matrix(AssertionError, covariance_matrix, precision_matrix, scale_tril)
        if matrix.dim() < 2:
            raise ValueError(
                "scale_tril must be at least two-dimensional, with optional leading batch dimensions"
            )
        is_number = not isinstance(df, Tensor)
        sizes = () if is_number else tuple(df.shape)
        shape = Size(broadcast_shapes(tuple(matrix.shape[:-2]), sizes))
        self.df = matrix.new_tensor(df) if is_number else df.expand(shape)
        size = matrix.shape[-1]
        if bool((self.df <= size - 1).any()):
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {size - 1}.")
        self.__dict__[name] = matrix.expand((*shape, size, size))
        if bool((self.df < size).any()):
            warnings.warn(
                "Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.",
                stacklevel=2,
            )
        super().__init__(shape, (size, size), validate_args=validate_args)
        self._tril = factor_of(name, matrix)

    def expand(self, batch_shape, _instance=None):
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        matrices = Size([*batch_shape, *self.event_shape])
        made.df = self.df.expand(tuple(batch_shape))
        for name in ("covariance_matrix", "precision_matrix", "scale_tril"):
            if name in self.__dict__:
                made.__dict__[name] = self.__dict__[name].expand(matrices)
        Distribution.__init__(made, batch_shape, self.event_shape, validate_args=False)
        return made

    @computed
    def scale_tril(self):
        return self._tril.expand(self._extended_shape())

    @computed
    def covariance_matrix(self):
        return (self._tril @ self._tril.mT).expand(self._extended_shape())

    @computed
    def precision_matrix(self):
        from .. import cholesky_inverse

        return cholesky_inverse(self._tril).expand(self._extended_shape())

    def _freedom(self):
        return self.df.reshape((*self.batch_shape, 1, 1))

    @property
    def mean(self):
        return self._freedom() * self.covariance_matrix

    @property
    def mode(self):
        factor = self._freedom() - self.event_shape[-1] - 1
        return factor.masked_fill(factor <= 0, math.nan) * self.covariance_matrix

    @property
    def variance(self):
        v = self.covariance_matrix
        diagonal = v.diagonal(dim1=-2, dim2=-1)
        return self._freedom() * (v.pow(2) + diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2))

    def _drawn(self, sample_shape):
        size = self.event_shape[-1]
        freedom = self.df.unsqueeze(-1) - self._tril.new_tensor([*map(float, range(size))])
        roots = Chi2(freedom).rsample(sample_shape).sqrt()
        noise = call("diag_embed", (roots.clamp(min=finfo(roots.dtype).eps),), {})
        count = size * (size - 1) // 2
        shape = (*sample_shape, *self.batch_shape, count)
        below = call("randn", (shape,), {"dtype": noise.dtype})
        rows = [below[..., row * (row - 1) // 2 :][..., :row] for row in range(size)]
        pad = [(0, size - row) for row in range(size)]
        padded = [call("pad", (one, sides), {}) for one, sides in zip(rows, pad)]
        factor = self._tril @ (noise + call("stack", (padded, -2), {}))
        return factor @ factor.mT

    def rsample(self, sample_shape=(), max_try_correction=None):
        # PyTorch takes the regular samples for singular ones, and draws them anew.
        self._drawn(tuple(sample_shape))
        drawn = self._drawn((Size(sample_shape).numel(),))
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        self._validate_sample(value)
        nu, p = self.df, self.event_shape[-1]
        norm = nu * (p * math.log(2) / 2 + _log_diagonal(self._tril)) + (nu / 2).mvlgamma(p)
        solved = linalg.solve_triangular(self._tril, value, upper=False)
        solved = linalg.solve_triangular(self._tril.mT, solved, upper=True)
        distance = solved.diagonal(dim1=-2, dim2=-1).sum(-1) / 2
        return (nu - p - 1) / 2 * linalg.slogdet(value).logabsdet - norm - distance

    def entropy(self):
        nu, p = self.df, self.event_shape[-1]
        found = (p + 1) * (p * math.log(2) / 2 + _log_diagonal(self._tril))
        slopes = (nu / 2).unsqueeze(-1) - nu.new_tensor([k / 2 for k in range(p)])
        found = found + (nu / 2).mvlgamma(p) + nu * p / 2
        return found - (nu - p - 1) / 2 * slopes.digamma().sum(-1)

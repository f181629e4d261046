"""Distributions of vectors, and mixtures."""

import math

from .. import linalg
from .._call import call
from .._dtypes import Size
from .._functions import broadcast_shapes
from .._grad_mode import no_grad
from . import constraints
from ._base import Distribution
from ._real import standard_normal


def one_matrix(error, covariance_matrix, precision_matrix, scale_tril):
    """The name of the one that is given, and it."""
    given = {
        "covariance_matrix": covariance_matrix,
        "precision_matrix": precision_matrix,
        "scale_tril": scale_tril,
    }
    given = {name: matrix for name, matrix in given.items() if matrix is not None}
    if len(given) != 1:
        raise error(
            "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
        )
    return next(iter(given.items()))


class MultivariateNormal(Distribution):
    has_rsample = True
    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector

    def __init__(
        self,
        loc,
        covariance_matrix=None,
        precision_matrix=None,
        scale_tril=None,
        validate_args=None,
    ):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        name, matrix = one_matrix(ValueError, covariance_matrix, precision_matrix, scale_tril)
        if matrix.dim() < 2:
            raise ValueError(f"{name} matrix must be at least two-dimensional")
        shape = broadcast_shapes(tuple(matrix.shape[:-2]), tuple(loc.shape[:-1]))
        self.loc = loc.expand((*shape, loc.shape[-1]))
        self.__dict__["_" + name] = self.__dict__[name] = matrix.expand(
            (*shape, *matrix.shape[-2:])
        )
        super().__init__(shape, loc.shape[-1:], validate_args=validate_args)
        self._tril = factor_of(name, matrix)

    def _holds(self, name):
        return name in self.__dict__

    def __getattr__(self, name):
        if name == "scale_tril":
            return self._tril.expand(self._matrix_shape())
        if name == "covariance_matrix":
            return (self._tril @ self._tril.mT).expand(self._matrix_shape())
        if name == "precision_matrix":
            from .. import cholesky_inverse

            return cholesky_inverse(self._tril).expand(self._matrix_shape())
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def _matrix_shape(self):
        return Size([*self.batch_shape, *self.event_shape, *self.event_shape])

    def expand(self, batch_shape, _instance=None):
        loc = self.loc.expand(Size([*batch_shape, *self.event_shape]))
        size = self.event_shape[0]
        tril = self.scale_tril.expand(Size([*batch_shape, size, size]))
        return MultivariateNormal(loc, scale_tril=tril)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def variance(self):
        return self._tril.pow(2).sum(-1).expand(self._extended_shape())

    def rsample(self, sample_shape=()):
        noise = standard_normal(self._extended_shape(sample_shape), self.loc)
        return self.loc + (self._tril @ noise.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value):
        self._validate_sample(value)
        distance = mahalanobis(self._tril, value - self.loc)
        half = self._half_log_det()
        return -0.5 * (self.event_shape[0] * math.log(2 * math.pi) + distance) - half

    def _half_log_det(self):
        return self._tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_det(self):
        return 2 * self._half_log_det()

    def entropy(self):
        found = 0.5 * self.event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()
        return found.expand(self.batch_shape) if len(self.batch_shape) else found


def mahalanobis(tril, x):
    """|L⁻¹ x|², for each of a batch."""
    shape = broadcast_shapes(tuple(tril.shape[:-2]), tuple(x.shape[:-1]))
    size = x.shape[-1]
    solved = linalg.solve_triangular(
        tril.expand((*shape, size, size)), x.expand((*shape, size)).unsqueeze(-1), upper=False
    )
    return solved.squeeze(-1).pow(2).sum(-1)


def _tril_of_precision(precision):
    """L of the inverse, by the factor of the matrix with its axes reversed."""
    flipped = linalg.cholesky(precision.flip((-2, -1)))
    upper = flipped.flip((-2, -1)).transpose(-2, -1)
    identity = call("eye", (precision.shape[-1],), {"dtype": precision.dtype})
    return linalg.solve_triangular(upper, identity, upper=False)


def factor_of(name, matrix):
    """L of the covariance L Lᵀ."""
    if name == "scale_tril":
        return matrix
    return linalg.cholesky(matrix) if name == "covariance_matrix" else _tril_of_precision(matrix)


class MixtureSameFamily(Distribution):
    """A distribution of a batch, of which a categorical one chooses."""

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        self._mixture = mixture_distribution
        self._component = component_distribution
        batch = component_distribution.batch_shape[:-1]
        shape = component_distribution.event_shape
        super().__init__(batch, shape, validate_args=validate_args)
        self._events = len(self.event_shape)

    @property
    def mixture_distribution(self):
        return self._mixture

    @property
    def component_distribution(self):
        return self._component

    @property
    def support(self):
        return self._component.support

    def _weights(self):
        probs = self._mixture.probs
        return probs.reshape((*probs.shape, *(1,) * self._events))

    @property
    def mean(self):
        return (self._weights() * self._component.mean).sum(-1 - self._events)

    @property
    def variance(self):
        axis = -1 - self._events
        within = (self._weights() * self._component.variance).sum(axis)
        away = self._component.mean - self.mean.unsqueeze(axis)
        return within + (self._weights() * away.pow(2.0)).sum(axis)

    def log_prob(self, value):
        self._validate_sample(value)
        found = self._component.log_prob(value.unsqueeze(-1 - self._events))
        weights = self._mixture.logits.log_softmax(-1)
        return (found + weights).logsumexp(dim=-1)

    def sample(self, sample_shape=()):
        with no_grad():
            sizes, batch = len(sample_shape), len(self.batch_shape)
            chosen = self._mixture.sample(sample_shape)
            samples = self._component.sample(sample_shape)
            place = chosen.reshape((*chosen.shape, *(1,) * (self._events + 1)))
            place = place.expand((*chosen.shape, 1, *self.event_shape))
            return samples.gather(sizes + batch, place).squeeze(sizes + batch)

    def __repr__(self):
        return f"MixtureSameFamily(\n  {self._mixture},\n  {self._component})"

"""torch.distributions.constraints: sets of numbers, which can say whether a value is in them."""

from .._call import call
from .._dtypes import finfo

__all__ = [
    "Constraint",
    "boolean",
    "corr_cholesky",
    "dependent",
    "dependent_property",
    "greater_than",
    "greater_than_eq",
    "half_open_interval",
    "independent",
    "integer_interval",
    "interval",
    "less_than",
    "lower_cholesky",
    "multinomial",
    "nonnegative",
    "nonnegative_integer",
    "one_hot",
    "positive",
    "positive_definite",
    "positive_integer",
    "real",
    "real_vector",
    "simplex",
    "unit_interval",
]


class Constraint:
    is_discrete = False
    event_dim = 0

    def __init__(self, check=None, name=None, event_dim=0, is_discrete=False):
        self._check = check
        self._name = name or type(self).__name__
        self.event_dim = event_dim
        self.is_discrete = is_discrete

    def check(self, value):
        return self._check(value)

    def __repr__(self):
        return self._name if isinstance(self._name, str) else self._name()


def _bounded(name, lower, upper):
    """The text, written only where it is needed: bounds may be tensors."""
    return lambda: f"{name}(lower_bound={lower}, upper_bound={upper})"


def greater_than(lower_bound):
    return Constraint(lambda x: lower_bound < x, lambda: f"GreaterThan(lower_bound={lower_bound})")


def greater_than_eq(lower_bound):
    return Constraint(
        lambda x: lower_bound <= x, lambda: f"GreaterThanEq(lower_bound={lower_bound})"
    )


def less_than(upper_bound):
    return Constraint(lambda x: x < upper_bound, lambda: f"LessThan(upper_bound={upper_bound})")


def interval(lower_bound, upper_bound):
    name = _bounded("Interval", lower_bound, upper_bound)
    return Constraint(lambda x: (lower_bound <= x) & (x <= upper_bound), name)


def half_open_interval(lower_bound, upper_bound):
    name = _bounded("HalfOpenInterval", lower_bound, upper_bound)
    return Constraint(lambda x: (lower_bound <= x) & (x < upper_bound), name)


def integer_interval(lower_bound, upper_bound):
    name = _bounded("IntegerInterval", lower_bound, upper_bound)

    def check(x):
        return (x % 1 == 0) & (lower_bound <= x) & (x <= upper_bound)

    return Constraint(check, name, is_discrete=True)


def multinomial(upper_bound):
    """Counts that sum up to as many at most."""
    return Constraint(
        lambda x: (x >= 0).all(dim=-1) & (x.sum(dim=-1) <= upper_bound),
        "Multinomial()",
        event_dim=1,
        is_discrete=True,
    )


def independent(base_constraint, reinterpreted_batch_ndims):
    """The last axes must satisfy it all together."""

    def check(x):
        found = base_constraint.check(x)
        return found.reshape((*found.shape[:-reinterpreted_batch_ndims], -1)).all(-1)

    event_dim = base_constraint.event_dim + reinterpreted_batch_ndims
    return Constraint(
        check,
        lambda: f"IndependentConstraint({base_constraint!r}, {reinterpreted_batch_ndims})",
        event_dim,
    )


def _is_one_hot(x):
    is_boolean = (x == 0) | (x == 1)
    is_normal = x.sum(-1).eq(1)
    return is_boolean.all(-1) & is_normal


def _is_lower_cholesky(x):
    lower = (x.tril() == x).flatten(-2).all(-1)
    return lower & (x.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


def _is_corr_cholesky(x):
    tolerance = finfo(x.dtype).eps * x.size(-1) * 10
    is_unit = (x.detach().norm(dim=-1) - 1.0).abs() <= tolerance
    return _is_lower_cholesky(x) & is_unit.all(dim=-1)


def _is_positive_definite(x):
    from .. import linalg

    if x.shape[-1] != x.shape[-2]:
        return x.new_zeros(x.shape[:-2], dtype=bool)
    is_symmetric = call("isclose", (x, x.mT), {"atol": 1e-6}).all(-2).all(-1)
    return is_symmetric & linalg.cholesky_ex(x).info.eq(0)


class _Dependent(Constraint):
    """A constraint that other values decide."""

    def __call__(self, *, is_discrete=False, event_dim=0):
        return _Dependent(None, "Dependent()", event_dim, is_discrete)


class dependent_property(property, _Dependent):
    """A property whose value is a constraint; of the class itself, that there is one."""

    def __init__(self, fn=None, *, is_discrete=None, event_dim=None):
        property.__init__(self, fn)
        _Dependent.__init__(self, None, "DependentProperty()", event_dim, is_discrete)

    def __call__(self, fn):
        return dependent_property(fn, is_discrete=self.is_discrete, event_dim=self.event_dim)


dependent = _Dependent(None, "Dependent()")
boolean = Constraint(lambda x: (x == 0) | (x == 1), "Boolean()", is_discrete=True)
real = Constraint(lambda x: x == x, "Real()")
real_vector = independent(real, 1)
positive = greater_than(0.0)
nonnegative = greater_than_eq(0.0)
nonnegative_integer = Constraint(
    lambda x: (x % 1 == 0) & (x >= 0), "IntegerGreaterThan(lower_bound=0)", is_discrete=True
)
positive_integer = Constraint(
    lambda x: (x % 1 == 0) & (x >= 1), "IntegerGreaterThan(lower_bound=1)", is_discrete=True
)
unit_interval = interval(0.0, 1.0)
simplex = Constraint(
    lambda x: (x >= 0).all(-1) & ((x.sum(-1) - 1).abs() < 1e-6), "Simplex()", event_dim=1
)
one_hot = Constraint(_is_one_hot, "OneHot()", event_dim=1, is_discrete=True)
lower_cholesky = Constraint(_is_lower_cholesky, "LowerCholesky()", event_dim=2)
corr_cholesky = Constraint(_is_corr_cholesky, "CorrCholesky()", event_dim=2)
positive_definite = Constraint(_is_positive_definite, "PositiveDefinite()", event_dim=2)

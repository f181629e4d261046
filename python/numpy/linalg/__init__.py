"""numpy.linalg, as far as torch.linalg has it."""

from torch._unsupported import missing as _missing

from .._array import _scalar_or_array, asarray, host, ndarray
from .._functions import matmul
from .._types import promote


class LinAlgError(ValueError):
    pass


def _floats(a):
    a = asarray(a)
    return (a.astype("float64") if a.dtype.kind in "biu" else a)._tensor


def norm(x, ord=None, axis=None, keepdims=False):  # noqa: A002
    return _scalar_or_array(host("linalg_norm", _floats(x), ord, axis, keepdims))


def _of_one(key):
    def function(a):
        made = host(key, _floats(a))
        return tuple(map(ndarray, made)) if isinstance(made, tuple) else _scalar_or_array(made)

    return function


inv, det, pinv, cholesky, eigvalsh, slogdet = map(
    _of_one, ("inv", "det", "pinv", "cholesky", "eigvalsh", "slogdet")
)
eigh, qr = _of_one("eigh"), _of_one("qr")


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    if not compute_uv:
        return ndarray(host("svdvals", _floats(a)))
    return tuple(map(ndarray, host("svd", _floats(a), full_matrices)))


def matrix_rank(A, tol=None, hermitian=False):  # noqa: N803
    values = svd(A, compute_uv=False)
    sizes = asarray(A).shape
    least = values.max() * max(sizes) * 2.0**-52 if tol is None else tol
    return (values > least).sum()


def cond(x, p=None):
    if p is not None:
        return norm(x, p) * norm(inv(x), p)
    values = svd(x, compute_uv=False)
    return values[0] / values[-1]


def lstsq(a, b, rcond=None):
    """(the solution, the squares that are left, the rank, the singular values)."""
    a, b = asarray(a).astype("float64"), asarray(b).astype("float64")
    found = matmul(pinv(a), b)
    rank = matrix_rank(a)
    left = (matmul(a, found) - b) ** 2
    squares = asarray(left.sum(0)).reshape(-1) if a.shape[0] > a.shape[1] == rank else left[:0]
    return found, squares, rank, svd(a, compute_uv=False)


def multi_dot(arrays, *, out=None):
    made = asarray(arrays[0])
    for one in arrays[1:]:
        made = matmul(made, one)
    return made


def solve(a, b):
    a, b = asarray(a), asarray(b)
    wanted = promote(a.dtype, b.dtype)
    wanted = "float64" if wanted.kind in "biu" else wanted
    return ndarray(host("solve", a.astype(wanted)._tensor, b.astype(wanted)._tensor))


def matrix_power(a, n):
    from .._creation import eye

    a = asarray(a)
    made = eye(a.shape[0], dtype=a.dtype)
    for _ in range(n):
        made = matmul(made, a)
    return made


def __getattr__(name):
    raise _missing("numpy.linalg", name, globals())

"""Matrices whose rows or columns are orthonormal, as functions of free matrices."""

from ..._call import call
from ..._dtypes import finfo
from ..._functions import allclose
from ..._grad_mode import no_grad
from ..._reflections import geqrf
from ...linalg import householder_product, qr, solve
from ..modules.module import Module

MAPS = ("matrix_exp", "cayley", "householder")


class _Orthogonal(Module):
    """Q of a free matrix X: eᴬ or (1 − A/2)⁻¹(1 + A/2) with A = X − Xᴴ, or reflections at X's columns.

    With trivialization X stands for a change of `base`, which is Q where X is −1.
    """

    def __init__(self, weight, orthogonal_map, *, use_trivialization=True):
        super().__init__()
        if weight.is_complex() and orthogonal_map == "householder":
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X):
        is_wide = X.size(-2) < X.size(-1)
        if is_wide:
            X = X.mT
        columns = X.size(-1)
        if self.orthogonal_map == "householder":
            Q = _product(X)
        else:
            Q = self._of_skew(_skew(X))
            Q = Q if Q.size(-1) == columns else Q[..., :columns]
        if hasattr(self, "base"):
            Q = self.base @ Q
        return Q.mT if is_wide else Q

    def _of_skew(self, A):
        if self.orthogonal_map == "matrix_exp":
            return call("matrix_exp", (A,), {})
        one = call("eye", (A.size(-1),), {"dtype": A.dtype})
        return solve(one.add(A, alpha=-0.5), one.add(A, alpha=0.5))

    @no_grad()
    def right_inverse(self, Q):
        if Q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. "
                f"Got a tensor of shape {Q.shape}."
            )
        is_wide = Q.size(-2) < Q.size(-1)
        tall = Q.mT if is_wide else Q
        if hasattr(self, "base"):
            self.base = _square(tall)
            X = call("zeros_like", (Q,), {})
            X.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
            return X
        if self.orthogonal_map != "householder":
            raise NotImplementedError(
                "It is not possible to assign to the matrix exponential or the Cayley "
                "parametrizations when use_trivialization=False."
            )
        X, tau = geqrf(tall)
        signs = X.diagonal(dim1=-2, dim2=-1)
        signs.sign_()
        signs[tau == 0.0] *= -1
        return X.mT if is_wide else X


def _product(X):
    vectors = X.tril(-1)
    tau = 2.0 / (1.0 + (vectors * vectors).sum(dim=-2))
    product = householder_product(vectors, tau)
    return product * X.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)


def _skew(X):
    """[..., n, n] of [..., n, k]: the columns that X has not are 0 on its right."""
    X = X.tril()
    rows, columns = X.shape[-2:]
    if rows != columns:
        zeros = X.new_zeros(rows, rows - columns).expand(*X.shape[:-2], -1, -1)
        X = call("cat", ([X, zeros],), {"dim": -1})
    return X - X.mH


def _square(Q):
    """An orthogonal matrix that begins with Q's columns made orthonormal; the others are drawn."""
    rows, columns = Q.shape[-2:]
    if rows != columns:
        drawn = call("randn", (*Q.shape[:-2], rows, rows - columns), {"dtype": Q.dtype})
        return _orthonormal(call("cat", ([Q, drawn],), {"dim": -1}))
    one = call("eye", (columns,), {"dtype": Q.dtype})
    error = 10.0 * rows * finfo(Q.dtype).eps
    if allclose(Q.mH @ Q, one, atol=error):
        return Q.clone()
    return _orthonormal(Q)


def _orthonormal(A):
    """The Q of A = QR where R's diagonal is positive."""
    Q, R = qr(A)
    return Q * R.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)

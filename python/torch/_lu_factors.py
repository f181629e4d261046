"""A = P L U: pivots say with which row, counted from 1, each row was exchanged in turn."""

import collections
import math

from ._call import call, composite
from ._dtypes import int32


@composite("lu")
def lu(A, pivot=True, get_infos=False):
    made = call("lu_factor", (A,), {"pivot": pivot})
    infos = call("zeros", (A.shape[:-2],), {"dtype": int32})
    return (*made, infos) if get_infos else tuple(made)


_Unpacked = collections.namedtuple("lu_unpack", "P L U")


@composite("lu_unpack")
def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    rows, columns = LU_data.shape[-2:]
    least = min(rows, columns)
    low = high = permutation = LU_data.new_empty(0)
    if unpack_data:
        one = call("eye", (rows, least), {"dtype": LU_data.dtype})
        low = LU_data[..., :least].tril(-1) + one
        high = LU_data[..., :least, :].triu()
    if unpack_pivots:
        batch = math.prod(LU_data.shape[:-2])
        rows_of = [_order(row, rows) for row in LU_pivots.reshape(batch, least).tolist()]
        one = call("eye", (rows,), {"dtype": LU_data.dtype})
        parts = [one[order].mT for order in rows_of]
        shape = (*LU_data.shape[:-2], rows, rows)
        stacked = call("stack", (parts,), {}) if parts else LU_data.new_empty(shape)
        permutation = stacked.reshape(shape).clone()
    return _Unpacked(permutation, low, high)


def _order(pivots, rows):
    order = list(range(rows))
    for at, pivot in enumerate(pivots):
        order[at], order[pivot - 1] = order[pivot - 1], order[at]
    return order


@composite("lu_solve")
def lu_solve(b, LU_data, LU_pivots):
    return solve_factored(LU_data, LU_pivots, b, True, False)


def solve_factored(LU, pivots, B, left, adjoint):
    """X with A X = B, or X A = B, of A = P L U or of its conjugate transpose."""
    P, L, U = lu_unpack(LU, pivots)
    if adjoint:
        L, U = L.mH, U.mH
    low = (L, {"upper": adjoint, "left": left, "unitriangular": True})
    high = (U, {"upper": not adjoint, "left": left})
    turn = P if adjoint else P.mT
    begins_turned = left != adjoint

    def turned(X):
        return turn @ X if left else X @ turn

    X = turned(B) if begins_turned else B
    for factor, options in (low, high) if begins_turned else (high, low):
        X = call("solve_triangular", (factor, X), options)
    X = X if begins_turned else turned(X)
    made = call("keeping", (X, [LU, pivots]), {})
    return call("keeping_result", (made,), {})

"""A = U H with orthonormal columns in U and H positive semidefinite, and square roots of such H."""

from ._call import call


def polar(A):
    """(U, H)"""
    if A.dim() >= 2 and A.shape[-2] < A.shape[-1]:
        raise RuntimeError(
            "linalg.polar: The input matrix A must have at least as many rows as columns, but got "
            f"{A.shape[-2]} rows and {A.shape[-1]} columns"
        )
    parts = [call("keeping", (part, [A]), {}) for part in _polar(A)]
    return tuple(call("keeping_result", (part,), {}) for part in parts)


def _polar(A):
    from ._factor_rules import as_complex, as_real
    from ._polar_gradients import Polar

    if A.is_complex():
        U, H = (as_complex(part) for part in _polar(as_real(A)))
        # What rounding leaves between H and its conjugate transpose is taken out.
        made = H.detach()
        return [U, H + (made.mH - made) / 2]
    return Polar.apply(A)


def matrix_sqrth(A):
    """The root X of X X = A, of which the lower triangle counts; its gradient is that of the whole."""
    from ._factor_rules import as_complex, as_real, need_square
    from ._polar_gradients import Root

    need_square("linalg.matrix_sqrth", A)
    if A.is_complex():
        E = as_real(A + (mirrored(A.detach()) - A.detach()))
        made = as_complex(Root.apply(E))
    else:
        made = Root.apply(A)
    return call("keeping", (made, [A]), {})


def mirrored(A):
    """The Hermitian matrix of the lower triangle."""
    low = A.tril(-1)
    middle = call("diagonal", (A, 0, -2, -1), {}).real
    return low + low.mH + call("diag_embed", (middle,), {})

"""QR, singular values and eigenvectors of complex matrices, with PyTorch's gradients.

Singular vectors and eigenvectors are right up to a sign. PyTorch refuses a loss that depends on
their phases; here it has a gradient that depends on them too.
"""

from . import _complex_jacobi as jacobi, _complex_numbers as numbers
from ._call import call
from .autograd.function import Function


def _rows(columns):
    return [list(row) for row in zip(*columns)]


def _conjugates(columns):
    return [[z.conjugate() for z in column] for column in columns]


def _over(x):
    """Real factors, one a column."""
    return x.unsqueeze(-2)


def _gaps(values):
    """values[j] − values[i], and 1 where they are the same."""
    gaps = values.unsqueeze(-2) - values.unsqueeze(-1)
    return gaps + call("eye", (values.shape[-1],), {"dtype": values.dtype})


def _embedded(x):
    return call("diag_embed", (x,), {})


def _diagonal(x):
    return call("diagonal", (x, 0, -2, -1), {})


def _need_matrix(name, A):
    if A.dim() < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")


class _Qr(Function):
    @staticmethod
    def forward(ctx, A, mode):
        rows, columns = A.shape[-2:]
        count = rows if mode == "complete" else min(rows, columns)
        found = [jacobi.qr(a, columns, count) for a in numbers.matrices(A)]
        ctx.mode = mode
        ctx.Q = numbers.by_columns([q for q, _ in found], (*A.shape[:-2], rows, count), A)
        ctx.R = numbers.by_columns([r for _, r in found], (*A.shape[:-2], count, columns), A)
        return ctx.Q, ctx.R

    @staticmethod
    def backward(ctx, dQ, dR):
        """dA = (dQ + Q S) R⁻ᴴ with S the Hermitian matrix of the upper half of dR Rᴴ − Qᴴ dQ."""
        Q, R = ctx.Q, ctx.R
        rows, columns = Q.shape[-2], R.shape[-1]
        if ctx.mode == "complete" and rows > columns:
            raise RuntimeError(
                "The QR decomposition is not differentiable when mode='complete' and nrows > ncols."
            )
        inner = dR @ R.mH - Q.mH @ dQ
        if rows >= columns:
            above = inner.triu()
            made = Q @ (above + above.mH - _embedded(_diagonal(above).real)) + dQ
            return _over_triangle(made, R), None
        below = (inner.mH - inner).tril()
        made = Q @ (below - _embedded(_diagonal(below)) / 2)
        made = _over_triangle(made, R[..., :rows])
        beside = made.new_zeros((*made.shape[:-1], columns - rows))
        return call("cat", ([made, beside], -1), {}) + Q @ dR, None


def _over_triangle(made, R):
    return call("solve_triangular", (R.mH, made), {"upper": False, "left": False})


def qr(input, mode="reduced"):
    _need_matrix("linalg.qr", input)
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', "
            "or 'complete'"
        )
    if mode != "r":
        return _Qr.apply(input, mode)
    if input.requires_grad:
        input = call(
            "refusing_backward",
            (
                input,
                "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. "
                "Please use linalg.qr(A, mode='reduced') if you are going to require gradients "
                "through linalg.qr.",
            ),
            {},
        )
    return input.new_empty(0), _Qr.apply(input, "reduced")[1]


class _Svd(Function):
    @staticmethod
    def forward(ctx, A, full):
        rows, columns = A.shape[-2:]
        found = [jacobi.svd(a, columns) for a in numbers.matrices(A)]
        least = min(rows, columns)
        left, right = (rows, columns) if full else (least, least)
        batch = A.shape[:-2]
        u = [_rows(jacobi.completed(u, rows, left)) for u, _, _ in found]
        vh = [_conjugates(jacobi.completed(v, columns, right)) for _, _, v in found]
        U = numbers.by_columns(u, (*batch, rows, left), A)
        Vh = numbers.by_columns(vh, (*batch, right, columns), A)
        S = numbers.tensor([s for _, s, _ in found], (*batch, least), A).real.clone()
        ctx.U, ctx.S, ctx.Vh = U, S, Vh
        return U, S, Vh

    @staticmethod
    def backward(ctx, dU, dS, dVh):
        """U [(X / E) S + S (Y / E) + dS + X₀ / 2S] Vᴴ and what leaves the space of U or of V.

        X and Y are the skew parts of Uᴴ dU and Vᴴ dV, X₀ the diagonal of X, Eᵢⱼ = Sⱼ² − Sᵢ².
        """
        S = ctx.S
        least = S.shape[-1]
        U, Vh = ctx.U[..., :least], ctx.Vh[..., :least, :]
        dU, dVh = dU[..., :least], dVh[..., :least, :]
        X, Y = (_skew(part) for part in (U.mH @ dU, Vh @ dVh.mH))
        E = _gaps(S * S)
        core = (X / E) * _over(S) + S.unsqueeze(-1) * (Y / E)
        core = core + _embedded(dS + _diagonal(X) / (2 * S))
        made = U @ core @ Vh
        if U.shape[-2] > least:
            outer = dU / _over(S)
            made = made + (outer - U @ (U.mH @ outer)) @ Vh
        if Vh.shape[-1] > least:
            outer = dVh / S.unsqueeze(-1)
            made = made + U @ (outer - (outer @ Vh.mH) @ Vh)
        return made, None


def _skew(x):
    return x - x.mH


def linalg_svd(input, full_matrices=True, *, driver=None):
    _need_matrix("linalg.svd", input)
    return _Svd.apply(input, full_matrices)


def svd(input, some=True, compute_uv=True):
    _need_matrix("linalg.svd", input)
    U, S, Vh = _Svd.apply(input, not some)
    return U, S, Vh.mH


class _Eigh(Function):
    @staticmethod
    def forward(ctx, A, upper):
        found = [jacobi.eigh(a, upper) for a in numbers.matrices(A)]
        values = numbers.tensor([values for values, _ in found], A.shape[:-1], A)
        ctx.values = values.real.clone()
        ctx.V = numbers.by_columns([_rows(vectors) for _, vectors in found], A.shape, A)
        return ctx.values, ctx.V

    @staticmethod
    def backward(ctx, d, dV):
        """V (X / E + d) Vᴴ, X the skew half of Vᴴ dV, Eᵢⱼ = λⱼ − λᵢ; the diagonal is d alone."""
        V = ctx.V
        inner = _skew(V.mH @ dV) / 2 / _gaps(ctx.values)
        return V @ (inner - _embedded(_diagonal(inner)) + _embedded(d)) @ V.mH, None


def eigh(input, UPLO="L"):
    from ._factor_rules import need_square

    need_square("linalg.eigh", input)
    return _Eigh.apply(input, UPLO.upper() == "U")


RULES = {"eigh": eigh, "linalg.svd": linalg_svd, "qr": qr, "svd": svd}

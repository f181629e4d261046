"""Factors, inverses and determinants: of complex matrices, and gradients that matrices share.

A complex matrix X + iY acts as the real one [[X, −Y], [Y, X]] does, which has its inverse, its
exponential and its polar factors in the same form, and each of its singular values twice.
"""

from . import _complex_numbers as numbers
from ._call import call
from ._functions import broadcast_shapes
from ._polar_factors import mirrored
from .autograd.function import Function


def as_real(A):
    x, y = A.real, A.imag
    return call("cat", ([call("cat", ([x, -y], -1), {}), call("cat", ([y, x], -1), {})], -2), {})


def as_complex(E):
    rows, columns = (size // 2 for size in E.shape[-2:])
    return call("complex", (E[..., :rows, :columns], E[..., rows:, :columns]), {})


def need_square(name, A):
    if A.dim() < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    rows, columns = A.shape[-2:]
    if rows != columns:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {rows} by {columns} matrices"
        )


def inv(input):
    need_square("linalg.inv", input)
    return as_complex(call("inv", (as_real(input),), {}))


def _need_one_type(name, A, B):
    if A.dtype != B.dtype:
        raise RuntimeError(
            f"{name}: Expected A and B to have the same dtype, but found A of type {A.dtype} and B "
            f"of type {B.dtype} instead"
        )


def solve(A, B, *, left=True):
    need_square("linalg.solve", A)
    _need_one_type("linalg.solve", A, B)
    is_vector = B.dim() == 1 or (A.dim() - 1 == B.dim() and B.shape == A.shape[:-1])
    made = _solution(A, B.unsqueeze(-1) if is_vector else B, left)
    return made.squeeze(-1) if is_vector else made


def _solution(A, B, left):
    if not left:
        return _solution(A.mT, B.mT, True).mT
    if B.dim() < A.dim():
        B = B.expand(*A.shape[:-2], *B.shape[-2:])
    stacked = call("cat", ([B.real, B.imag], -2), {})
    made = call("solve", (as_real(A), stacked), {})
    count = A.shape[-1]
    return call("complex", (made[..., :count, :], made[..., count:, :]), {})


def solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    need_square("linalg.solve_triangular", A)
    _need_one_type("linalg.solve_triangular", A, B)
    inner = int(unitriangular)
    part = A.triu(inner) if upper else A.tril(-inner)
    if unitriangular:
        part = part + _one(A)
    return _solution(part, B, left)


def _one(A):
    return call("eye", (A.shape[-1],), {"dtype": A.dtype})


def matrix_exp(input):
    need_square("linalg.matrix_exp", input)
    return as_complex(call("matrix_exp", (as_real(input),), {}))


def matrix_power(input, n):
    need_square("linalg.matrix_power", input)
    if n == 0:
        return input * 0 + _one(input)
    base = inv(input) if n < 0 else input
    power = None
    for digit in bin(abs(n))[:1:-1]:
        if digit == "1":
            power = base if power is None else power @ base
        if abs(n) > 1:
            base = base @ base
    return power.clone() if power is input else power


def _tolerance(input):
    """PyTorch's rtol where none is given."""
    return max(input.shape[-2:]) * (2**-52 if "128" in input.dtype.name else 2**-23)


def pinv(input, rcond=None, *, atol=None, rtol=None, hermitian=False):
    rtol = rcond if rtol is None else rtol
    for name, limit in (("rcond" if rcond is rtol else "rtol", rtol), ("atol", atol)):
        if hasattr(limit, "dtype") and limit.is_complex():
            raise RuntimeError(
                f"torch.linalg.pinv: {name} tensor of complex type is not supported. Got {limit.dtype}"
            )
    limits = [limit for limit in (rtol, atol) if hasattr(limit, "dtype")]
    if limits:
        # Each matrix has limits of its own; what several have is repeated.
        batch = broadcast_shapes(input.shape[:-2], *(limit.shape for limit in limits))
        input = input.expand(*batch, *input.shape[-2:])
        rtol, atol = (
            limit.expand(batch).contiguous() if hasattr(limit, "dtype") else limit
            for limit in (rtol, atol)
        )
    if rtol is None and atol is None and input.is_complex():
        rtol = _tolerance(input)
    options = {"atol": atol, "rtol": rtol}
    if not input.is_complex():
        return call("pinv", (input,), {**options, "hermitian": hermitian})
    if hermitian:
        return _HermitianPinv.apply(input, options)
    return as_complex(call("pinv", (as_real(input),), options))


class _HermitianPinv(Function):
    """Of the lower triangle; the gradient is that of any matrix."""

    @staticmethod
    def forward(ctx, A, options):
        ctx.save_for_backward(A)
        ctx.value = as_complex(call("pinv", (as_real(mirrored(A)),), options))
        return ctx.value

    @staticmethod
    def backward(ctx, d):
        """Golub and Pereyra 1973, of square matrices."""
        (A,) = ctx.saved_tensors
        P, turned = ctx.value, ctx.value.mH
        k = d.mH @ P
        kp = k @ turned
        made = kp - (P @ k).mH - A @ P @ kp + turned @ P @ (d.mH - k @ A)
        return made, None


def svdvals(input, *, driver=None):
    return call("svdvals", (as_real(input),), {})[..., ::2]


def eigvalsh(input, UPLO="L"):
    lower = input.mH if UPLO.upper() == "U" else input
    return call("eigvalsh", (as_real(mirrored(lower)), "L"), {})[..., ::2]


def matrix_rank(input, tol=None, *, atol=None, rtol=None, hermitian=False):
    if tol is None and atol is None and rtol is None:
        rtol = _tolerance(input)
    options = {"atol": atol, "rtol": rtol, "hermitian": hermitian}
    if tol is not None:
        options["tol"] = tol
    return call("matrix_rank", (as_real(input),), options).div(2, rounding_mode="floor")


# Determinants, from the logarithm ln |A| + iθ


class _Determinant(Function):
    @staticmethod
    def forward(ctx, A):
        ctx.save_for_backward(A)
        ctx.factors = [numbers.lu(a) for a in numbers.matrices(A)]
        ctx.value = numbers.tensor([numbers.determinant(*f) for f in ctx.factors], A.shape[:-2], A)
        return ctx.value

    @staticmethod
    def backward(ctx, d):
        (A,) = ctx.saved_tensors
        return _spread(d * ctx.value.conj()) * _turned_inverse(A, ctx.factors)


class _LogDeterminant(Function):
    @staticmethod
    def forward(ctx, A):
        ctx.save_for_backward(A)
        ctx.factors = [numbers.lu(a) for a in numbers.matrices(A)]
        return numbers.tensor([numbers.log_determinant(*f) for f in ctx.factors], A.shape[:-2], A)

    @staticmethod
    def backward(ctx, d):
        (A,) = ctx.saved_tensors
        return _spread(d) * _turned_inverse(A, ctx.factors)


def _spread(d):
    return d[..., None, None]


def _turned_inverse(A, factors):
    """A⁻ᴴ; a pivot that is 0 counts as the smallest step from 1."""
    least = 2**-52 if "128" in A.dtype.name else 2**-23
    return numbers.tensor([numbers.inverse(*f, least) for f in factors], A.shape, A).mH


def det(input):
    need_square("linalg.det", input)
    return _Determinant.apply(input)


def slogdet(input):
    need_square("linalg.slogdet", input)
    made = _LogDeterminant.apply(input)
    sign = call("polar", (call("ones_like", (made.imag,), {}), made.imag), {})
    sign = sign.masked_fill(made.real == -float("inf"), 0)
    return sign, made.real.clone()


def logdet(input):
    need_square("logdet", input)
    return _LogDeterminant.apply(input)


# Cholesky's factor


class _Cholesky(Function):
    @staticmethod
    def forward(ctx, A):
        factors = [numbers.cholesky(a) for a in numbers.matrices(A)]
        for _, failed in factors:
            if failed:
                from .linalg import LinAlgError

                raise LinAlgError(
                    "linalg.cholesky: The factorization could not be completed because the input "
                    f"is not positive-definite (the leading minor of order {failed} is not "
                    "positive-definite)."
                )
        ctx.value = numbers.by_columns([low for low, _ in factors], A.shape, A)
        return ctx.value

    @staticmethod
    def backward(ctx, d):
        """½ L⁻ᴴ (P + Pᴴ) L⁻¹, P the lower half of Lᴴ dL, its diagonal once."""
        L = ctx.value
        P = (L.mH @ d).tril()
        turned = _lower_inverse(L)
        return turned.mH @ (0.5 * (P + P.tril(-1).mH)) @ turned


def _lower_inverse(L):
    return solve_triangular(L, _one(L), upper=False)


def cholesky(input, *, upper=False):
    need_square("linalg.cholesky", input)
    low = _Cholesky.apply(input)
    return low.mH if upper else low


def cholesky_info(input):
    need_square("linalg.cholesky_ex", input)
    failed = [numbers.cholesky(a)[1] for a in numbers.matrices(input)]
    return numbers.integers(failed, input.shape[:-2])


# A = P L U with rows exchanged for the largest pivots, L and U in one matrix


class _LuFactor(Function):
    @staticmethod
    def forward(ctx, A, pivot):
        ctx.both, ctx.pivots = _lu_numbers(A, pivot)
        ctx.mark_non_differentiable(ctx.pivots)
        return ctx.both, ctx.pivots

    @staticmethod
    def backward(ctx, d, _):
        """With A = P L U of the first k rows and columns, and what is beside or below them."""
        from ._lu_factors import lu_unpack

        P, L, U = lu_unpack(ctx.both, ctx.pivots)
        k = min(ctx.both.shape[-2:])
        dL, dU = d[..., :k].tril(-1), d[..., :k, :].triu()
        low = L[..., :k, :].mH @ dL[..., :k, :]
        high = dU[..., :k] @ U[..., :k].mH
        beside, below = U[..., k:], L[..., k:, :]
        if beside.shape[-1]:
            low = low - dU[..., k:] @ beside.mH
        if below.shape[-2]:
            high = high - below.mH @ dL[..., k:, :]
        left, right = L[..., :k, :].mH, U[..., :k].mH
        inner = _solved(left, low.tril(-1) + high.triu(), upper=True, unitriangular=True)
        made = _solved(right, inner, upper=False, left=False)
        if beside.shape[-1]:
            outer = _solved(left, dU[..., k:], upper=True, unitriangular=True)
            made = call("cat", ([made, outer], -1), {})
        if below.shape[-2]:
            outer = _solved(right, dL[..., k:, :], upper=False, left=False)
            made = call("cat", ([made, outer], -2), {})
        return P @ made, None


def _solved(A, B, **options):
    return call("solve_triangular", (A, B), options)


def _lu_numbers(A, pivot):
    if not A.is_complex():
        return call("lu_factor", (A.detach(),), {"pivot": pivot})
    found = [numbers.lu(a, pivot) for a in numbers.matrices(A)]
    both = numbers.by_columns([rows for rows, _ in found], A.shape, A)
    least = min(A.shape[-2:])
    pivots = [row + 1 for _, exchanged in found for row in exchanged]
    return both, numbers.integers(pivots, (*A.shape[:-2], least))


def lu_factor(A, *, pivot=True):
    both, pivots = _LuFactor.apply(A, pivot)
    return call("keeping", (both, [pivots]), {}), pivots


# Norms by singular values, and of complex matrices


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    A = A if dtype is None else A.to(dtype)
    if ord not in ("nuc", 2, -2):
        return call("matrix_norm", (A.abs(), ord, dim, keepdim), {})
    axes = sorted(at % A.dim() for at in dim)
    values = call("svdvals", (A.movedim(tuple(dim), (-2, -1)),), {})
    if ord == 2 and values.shape[-1] == 0:
        made = values.new_zeros(values.shape[:-1])
    else:
        made = values.sum(-1) if ord == "nuc" else values.amax(-1) if ord == 2 else values.amin(-1)
    if keepdim:
        for at in axes:
            made = made.unsqueeze(at)
    return made


def linalg_norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    axes = [dim] if isinstance(dim, int) else dim
    rank = A.dim() if axes is None else len(axes)
    options = {"dtype": dtype}
    if ord is None or rank == 1:
        return call("vector_norm", (A, 2 if ord is None else ord, dim, keepdim), options)
    if rank != 2:
        raise RuntimeError(
            "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got "
            f"{rank}D."
        )
    return call("matrix_norm", (A, ord, axes or (-2, -1), keepdim), options)


def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    axes = (-2, -1) if dim is None else dim
    return call("matrix_norm", (input, p, axes, keepdim), {"dtype": dtype})


RULES = {
    "_cholesky_info": cholesky_info,
    "cholesky": cholesky,
    "det": det,
    "eigvalsh": eigvalsh,
    "inv": inv,
    "inverse": inv,
    "linalg_norm": linalg_norm,
    "logdet": logdet,
    "lu_factor": lu_factor,
    "matrix_exp": matrix_exp,
    "matrix_norm": matrix_norm,
    "matrix_power": matrix_power,
    "matrix_rank": matrix_rank,
    "norm": norm,
    "pinv": pinv,
    "pinverse": pinv,
    "slogdet": slogdet,
    "solve": solve,
    "solve_triangular": solve_triangular,
    "svdvals": svdvals,
}

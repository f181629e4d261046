"""More of torch's functions in Python: order, copies of views, factors and triangles."""

import collections
import math

from ._call import add_missing, call, composite, part_of
from ._dtypes import bool as bool_, contiguous_format, cpp_name, int32, int64
from ._fake_quantize import (  # noqa: F401
    fake_quantize_per_channel_affine,
    fake_quantize_per_tensor_affine,
)
from ._lu_factors import lu, lu_solve, lu_unpack, solve_factored  # noqa: F401
from ._native_norms import native_batch_norm, native_group_norm, native_layer_norm  # noqa: F401
from ._polar_factors import matrix_sqrth, polar
from ._reflections import geqrf, householder_product  # noqa: F401
from ._unsupported import unsupported

# Functions of torch; those of METHODS are methods of Tensor too.
FUNCTIONS = [
    "cholesky_inverse",
    "cholesky_solve",
    "fake_quantize_per_channel_affine",
    "fake_quantize_per_tensor_affine",
    "geqrf",
    "gradient",
    "lu",
    "lu_solve",
    "lu_unpack",
    "mode",
    "nanmedian",
    "native_batch_norm",
    "native_group_norm",
    "native_layer_norm",
    "nonzero_static",
    "orgqr",
    "triangular_solve",
]
METHODS = [
    "cholesky_inverse",
    "cholesky_solve",
    "lu",
    "lu_solve",
    "mode",
    "nanmedian",
    "nonzero_static",
    "orgqr",
    "triangular_solve",
]

# Views of which PyTorch has a twin that copies.
_COPIED = (
    "as_strided detach diagonal expand narrow permute select split squeeze t transpose unbind "
    "unsqueeze view view_as_complex view_as_real"
).split()

orgqr = householder_product

_Found = collections.namedtuple("_Found", "values indices")


def _solve(a, b, upper, **options):
    return call("solve_triangular", (a, b), {"upper": upper, **options})


@composite("mode")
def mode(input, dim=-1, keepdim=False):
    """The value that is there most often, the smallest of several, and where it is last."""
    flat = input.transpose(dim, -1)
    if flat.dim() == 0:
        return _only(flat)
    if flat.shape[-1] == 0:
        axis = dim % flat.dim()
        raise IndexError(f"mode(): Expected reduction dim {axis} to have non-zero size.")
    if flat.is_complex() and flat.numel() > 0:
        raise NotImplementedError(f"\"mode_cpu\" not implemented for '{cpp_name(flat.dtype)}'")
    ordered, order = flat.detach().sort(-1)
    counts = (ordered.unsqueeze(-1) == ordered.unsqueeze(-2)).sum(-1)
    value = ordered.gather(-1, counts.argmax(-1, keepdim=True))
    places = call("arange", (flat.shape[-1],), {})
    at = order.gather(-1, (places * (ordered == value)).amax(-1, keepdim=True))
    return _along(flat, at, dim, keepdim)


@composite("nanmedian")
def nanmedian(input, dim=None, keepdim=False):
    """The lower of the middle two of what is no NaN."""
    if not input.is_floating_point():
        return call("median", (input,) if dim is None else (input, dim, keepdim), {})
    if dim is None:
        found = _nanmedian(input.detach().reshape(-1), -1, False).values
        return call("among_equals", (input, found), {})
    return _nanmedian(input, dim, keepdim)


def _only(input):
    """What is found in a tensor without axes; its backward pass needs the place."""
    place = input.new_zeros((), dtype=int64)
    return _Found(call("keeping", (input.clone(), [place]), {}), place)


def _nanmedian(input, dim, keepdim):
    flat = input.transpose(dim, -1)
    if flat.dim() == 0:
        return _only(flat)
    order = flat.detach().sort(-1).indices
    known = (flat == flat).sum(-1, keepdim=True)
    at = order.gather(-1, ((known - 1).clamp(min=0)).div(2, rounding_mode="floor"))
    # Of a line of NaN it is the one that the search for the first of equals ends at.
    first = call("zeros", (flat.shape[-1],), {}).topk(1).indices
    at = call("where", (known == 0, first, at), {})
    return _along(flat, at, dim, keepdim)


def _along(flat, at, dim, keepdim):
    place = at.transpose(dim, -1)
    place = (place if keepdim else place.squeeze(dim)).clone()
    # The gradient needs the places as they are given.
    kept = place if keepdim else place.unsqueeze(dim)
    value = call("gather_found", (flat, -1, kept.transpose(dim, -1)), {}).transpose(dim, -1)
    return _Found((value if keepdim else value.squeeze(dim)).clone(), place)


@composite("gradient")
def gradient(input, *, spacing=1, dim=None, edge_order=1):
    """Central differences along each axis; at the edges those of one side."""
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    spacing = 1 if spacing is None else spacing
    axes = range(input.dim()) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    steps = list(spacing) if isinstance(spacing, (list, tuple)) else [spacing] * len(axes)
    return tuple(_slope(input, axis, step, edge_order) for axis, step in zip(axes, steps))


def _slope(input, axis, step, edge_order):
    size = input.shape[axis]
    if size < edge_order + 1:
        raise RuntimeError(
            "torch.gradient expected each dimension size to be at least edge_order+1"
        )
    f = [input.narrow(axis, at, 1) for at in (0, 1, -2, -1) if -size <= at < size]
    inner = max(size - 2, 0)
    before, here, after = (input.narrow(axis, at, inner) for at in range(3))
    if hasattr(step, "dim") and step.dim() == 1:
        along = [-1 if at == axis % input.dim() else 1 for at in range(input.dim())]
        gaps = step.diff().reshape(along)
        first = (f[1] - f[0]) / gaps.narrow(axis, 0, 1)
        last = (f[-1] - f[-2]) / gaps.narrow(axis, -1, 1)
        if edge_order == 2:
            ends = [gaps.narrow(axis, at, 1) for at in (0, 1, -1, -2)]
            first = -_edge_slope(f[0], f[1], input.narrow(axis, 2, 1), *ends[:2])
            last = _edge_slope(f[-1], f[-2], input.narrow(axis, -3, 1), *ends[2:])
        parts = [first, last]
        if size > 2:
            left, right = gaps.narrow(axis, 0, inner), gaps.narrow(axis, 1, inner)
            level = (right * right - left * left) * here
            above = left * left * after + level - right * right * before
            parts.insert(1, above / (left * right * (left + right)))
        return call("cat", (parts, axis), {})
    if edge_order == 1:
        first, last = (f[1] - f[0]) / step, (f[-1] - f[-2]) / step
    else:
        first = (4 * f[1] - 3 * f[0] - input.narrow(axis, 2, 1)) / (2 * step)
        last = (3 * f[-1] - 4 * f[-2] + input.narrow(axis, -3, 1)) / (2 * step)
    middle = [] if size == 2 else [(after - before) / (2 * step)]
    return call("cat", ([first, *middle, last], axis), {})


def _edge_slope(end, next, third, gap, further):
    """The slope at the end of a parabola through three points, `gap` and `further` apart."""
    both = gap + further
    near = (gap + both) / (gap * both) * end
    return near - both / (gap * further) * next + gap / (further * both) * third


@composite("nonzero_static")
def nonzero_static(input, *, size, fill_value=-1):
    found = input.nonzero()[:size]
    rest = call("full", ((size - found.shape[0], input.dim()), fill_value), {"dtype": int64})
    return call("cat", ([found, rest],), {})


_Solved = collections.namedtuple("triangular_solve", "solution cloned_coefficient")


@composite("triangular_solve")
def triangular_solve(b, A, upper=True, transpose=False, unitriangular=False):
    turned = A.mT if transpose else A
    made = _solve(turned, b, upper != transpose, unitriangular=unitriangular)
    made = call("keeping_result", (call("keeping", (made, [b, A]), {}),), {})
    return _Solved(made, A + part_of(b))


@composite("cholesky_solve")
def cholesky_solve(B, L, upper=False):
    if L.requires_grad:
        made = _inverse_of_square(L, upper) @ B
    else:
        made = _solve_square(L, B, upper)
    return call("keeping_result", (call("keeping", (made, [B, L]), {}),), {})


@composite("cholesky_inverse")
def cholesky_inverse(L, upper=False):
    if L.requires_grad:
        made = _inverse_of_square(L, upper)
        # The two halves of the gradient are added before anything multiplies them.
        made = (made + made.mH) * 0.5
    else:
        made = _solve_square(L, _unit(L), upper)
    return call("keeping_result", (call("keeping", (made, [L]), {}),), {})


def _solve_square(L, B, upper):
    low = L.mH if upper else L
    return _solve(low.mH, _solve(low, B, False), True)


def _inverse_of_square(L, upper):
    """The inverse by the triangle, with PyTorch's gradient: that of the square of all of L."""
    square = L.mH @ L if upper else L @ L.mH
    held = L.detach()
    inverse = _solve_square(held, _unit(held), upper)
    return (
        call("inv", (square,), {})
        if L.is_complex()
        else call("_held_inverse", (square, inverse), {})
    )


def _unit(L):
    return call("eye", (L.shape[-1],), {"dtype": L.dtype})


# torch.linalg

_Lu = collections.namedtuple("linalg_lu", "P L U")
_LuFactor = collections.namedtuple("linalg_lu_factor_ex", "LU pivots info")
_InverseInfo = collections.namedtuple("linalg_inv_ex", "inverse info")
_SolutionInfo = collections.namedtuple("linalg_solve_ex", "result info")
_PolarFactors = collections.namedtuple("linalg_polar", "U H")
_FactorInfo = collections.namedtuple("linalg_cholesky_ex", "L info")
_LeastSquares = collections.namedtuple("linalg_lstsq", "solution residuals rank singular_values")


def _no_info(A):
    return call("zeros", (A.shape[:-2],), {"dtype": int32})


def _lu_factors(A, *, pivot=True):
    made = call("lu_factor", (A,), {"pivot": pivot})
    permutation, low, high = lu_unpack(*made)
    low, high = (call("keeping", (part, [permutation]), {}) for part in (low, high))
    return _Lu(permutation, *(call("keeping_result", (part,), {}) for part in (low, high)))


def _lu_factor_ex(A, *, pivot=True, check_errors=False):
    return _LuFactor(*call("lu_factor", (A,), {"pivot": pivot}), _no_info(A))


def _inv_ex(A, *, check_errors=False):
    return _InverseInfo(call("inv", (A,), {}), _no_info(A))


def _solve_ex(A, B, *, left=True, check_errors=False):
    return _SolutionInfo(call("solve", (A, B), {"left": left}), _no_info(A))


def _cholesky_ex(A, *, upper=False, check_errors=False):
    info = call("_cholesky_info", (A,), {})
    failed = info != 0
    if not bool(failed.any()):
        return _FactorInfo(call("cholesky", (A,), {"upper": upper}), info)
    if check_errors:
        call("cholesky", (A,), {"upper": upper})
    # What stands in for a factor that there is not.
    safe = A.masked_fill(failed[..., None, None], 0) + failed[..., None, None] * _identity(A)
    return _FactorInfo(call("cholesky", (safe,), {"upper": upper}), info)


def _identity(A):
    return call("eye", (A.shape[-1],), {"dtype": A.dtype})


def _linalg_lu_solve(LU, pivots, B, *, left=True, adjoint=False):
    return solve_factored(LU, pivots, B, left, adjoint)


def _polar(A):
    return _PolarFactors(*polar(A))


def _lstsq(A, B, rcond=None, *, driver=None):
    if rcond is not None:
        raise unsupported("linalg.lstsq with rcond")
    rows, columns = A.shape[-2:]
    solution = call("keeping", (call("pinv", (A,), {}) @ B, [A, B]), {})
    solution = call("keeping_result", (solution, rows <= columns), {})
    rank = call("matrix_rank", (A,), {})
    is_full = rows > columns and driver not in (None, "gelsy") and bool((rank == columns).all())
    none = A.reshape(-1)[:0] + B.reshape(-1)[:0]
    rest = ((A @ solution - B).abs() ** 2).sum(-2) if is_full else none.abs()
    rest = call("keeping", (rest, [A, B, solution.detach()]), {})
    values = (
        call("svdvals", (A.detach(),), {})
        if driver in ("gelsd", "gelss")
        else A.new_empty(0, dtype=A.dtype.to_real())
    )
    none = call("zeros", (0,), {"dtype": int64})
    return _LeastSquares(solution, rest, none if driver == "gels" else rank, values)


def _cond(A, p=None):
    if p in (None, 2, -2):
        if A.numel() == 0:
            return A.real.new_zeros(A.shape[:-2])
        values = call("svdvals", (A,), {})
        most, least = values[..., 0], values[..., -1]
        ratio = least / most if p == -2 else most / least
        return ratio.view(ratio.shape)
    # PyTorch edits the inverse in place, although its gradient needs it: there is none.
    inverse = call("inv", (A,), {})
    inverse.masked_fill_(A.new_zeros((), dtype=bool_), math.inf)
    return call("matrix_norm", (A, p), {}) * call("matrix_norm", (inverse, p), {})


def _tensorinv(A, ind=2):
    size = math.prod(A.shape[ind:])
    made = call("inv", (A.reshape(size, -1),), {})
    return made.reshape(*A.shape[ind:], *A.shape[:ind])


def _tensorsolve(A, B, dims=None):
    if dims is not None:
        A = A.movedim(list(dims), list(range(A.dim() - len(dims), A.dim())))
    shape = A.shape[B.dim() :]
    made = call("solve", (A.reshape(B.numel(), -1), B.reshape(-1)), {})
    return made.reshape(shape)


LINALG = {
    "cholesky_ex": _cholesky_ex,
    "cond": _cond,
    "inv_ex": _inv_ex,
    "lstsq": _lstsq,
    "lu": _lu_factors,
    "lu_factor_ex": _lu_factor_ex,
    "lu_solve": _linalg_lu_solve,
    "matrix_sqrth": matrix_sqrth,
    "polar": _polar,
    "solve_ex": _solve_ex,
    "tensorinv": _tensorinv,
    "tensorsolve": _tensorsolve,
}


def _copies(name):
    @composite(name + "_copy")
    def function(input, *args, **kwargs):
        found = getattr(input, name)(*args, **kwargs)
        own = [x.clone(memory_format=contiguous_format) for x in _listed(found)]
        return own if isinstance(found, (tuple, list)) else own[0]

    function.__name__ = function.__qualname__ = name + "_copy"
    return function


def _listed(found):
    return found if isinstance(found, (tuple, list)) else [found]


@composite("alias_copy")
def alias_copy(input):
    return input.clone(memory_format=contiguous_format)


@composite("unfold_copy")
def unfold_copy(input, dimension, size, step):
    return input.unfold(dimension, size, step).clone(memory_format=contiguous_format)


def expose(namespace, tensor_class):
    """Adds what is missing to torch's names and to the methods of Tensor."""
    add_missing(namespace, tensor_class, FUNCTIONS, METHODS, globals())
    for name in _COPIED:
        namespace.setdefault(name + "_copy", _copies(name))
    namespace.setdefault("alias_copy", alias_copy)
    namespace.setdefault("unfold_copy", unfold_copy)


def expose_linalg(namespace):
    for name, function in LINALG.items():
        namespace.setdefault(name, composite(name)(function))
    namespace.setdefault("householder_product", householder_product)

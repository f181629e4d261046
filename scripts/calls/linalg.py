"""Decompositions, inverses, determinants; diagonals; vectors' tables."""
import torch

from calls.form import case, ints, t, values

HALF, F64, C64 = torch.float16, torch.float64, torch.complex64
L = "torch.linalg"
INF = float("inf")


def definite(n, *batch, grad=True):
    a = t(*batch, n, n).data
    return values((a @ a.mT + n * torch.eye(n)).tolist(), grad=grad)


def regular(n, *batch, dtype=torch.float32):
    return values((t(*batch, n, n).data + 2 * torch.eye(n)).tolist(), dtype=dtype)


CASES = [
    case(f"{L}.qr", t(4, 3, grad=False)),
    case(f"{L}.qr", t(3, 4, grad=False)),
    case(f"{L}.qr", t(2, 3, 3, grad=False)),
    case(f"{L}.qr", t(4, 2, grad=False), "complete"),
    case(f"{L}.qr", t(4, 2, grad=False), mode="r"),
    case(f"{L}.qr", t(3, grad=False)),
    case(f"{L}.qr", t(3, 3, grad=False), mode="foo"),
    case(f"{L}.svdvals", t(4, 3, grad=False)),
    case(f"{L}.svdvals", t(2, 3, 4, grad=False)),
    case(f"{L}.svd", t(3, grad=False)),
    case(f"{L}.eigvalsh", definite(4, grad=False)),
    case(f"{L}.eigvalsh", t(3, 3, grad=False), "U"),
    case(f"{L}.eigh", t(3, 4, grad=False)),
    case(f"{L}.inv", regular(3)),
    case(f"{L}.inv", regular(2, 3)),
    case(f"{L}.inv", regular(3, dtype=F64)),
    case("torch.inverse", regular(3)),
    case("torch.Tensor.inverse", regular(3)),
    case(f"{L}.inv", t(3, 4)),
    case(f"{L}.solve", regular(3), t(3, 2)),
    case(f"{L}.solve", regular(3), t(3)),
    case(f"{L}.solve", regular(3, 2), t(2, 3, 2)),
    case(f"{L}.solve", regular(3), t(2, 3), left=False),
    case(f"{L}.det", regular(3)),
    case(f"{L}.det", regular(3, 2)),
    case("torch.det", regular(2)),
    case(f"{L}.det", t(3, 4)),
    case(f"{L}.slogdet", regular(3)),
    case("torch.slogdet", values([[0.0, 1.0], [1.0, 0.0]])),
    case("torch.logdet", definite(3)),
    case("torch.logdet", values([[0.0, 1.0], [1.0, 0.0]], grad=False)),
    case(f"{L}.cholesky", definite(3)),
    case(f"{L}.cholesky", definite(3, 2)),
    case(f"{L}.cholesky", definite(3, grad=False), upper=True),
    case(f"{L}.matrix_power", t(3, 3), 3),
    case(f"{L}.matrix_power", t(2, 3, 3), 2),
    case(f"{L}.matrix_power", t(3, 3, grad=False), 0),
    case("torch.matrix_power", regular(3), -2),
    case(f"{L}.matrix_power", t(3, 4), 2),
    case(f"{L}.matrix_rank", t(3, 4, grad=False)),
    case(f"{L}.matrix_rank", values([[1.0, 2.0], [2.0, 4.0]], grad=False)),
    case(f"{L}.pinv", t(3, 4, grad=False)),
    case(f"{L}.pinv", t(2, 4, 3, grad=False)),
    case(f"{L}.solve_triangular", regular(3), t(3, 2), upper=True),
    case(f"{L}.solve_triangular", regular(3), t(3, 2), upper=False),
    case(f"{L}.solve_triangular", t(3, 3), t(2, 3), upper=False, left=False, unitriangular=True),
    case(f"{L}.matrix_exp", t(3, 3)),
    case("torch.matrix_exp", t(2, 3, 3, scale=3.0), tolerance=1e-4),
    case("torch.matrix_exp", t(2, 2, dtype=F64)),
    case("torch.matrix_exp", values([[0.0, 0.0], [0.0, 0.0]])),
    case("torch.pinverse", t(3, 2, grad=False)),
    case(f"{L}.diagonal", t(2, 3, 4)),
    case(f"{L}.diagonal", t(2, 3, 4), offset=1),
    case("torch.diag", t(3)),
    case("torch.diag", t(3), 1),
    case("torch.diag", t(3), -2),
    case("torch.diag", t(3, 4)),
    case("torch.diag", t(3, 4), 1),
    case("torch.diag", values([-INF, 1.0])),
    case("torch.diag", ints(3)),
    case("torch.diag", t(2, 3, 4)),
    case("torch.diag_embed", t(2, 3)),
    case("torch.diag_embed", t(2, 3), 1),
    case("torch.diag_embed", t(2, 3), -1, 0, 2),
    case("torch.diag_embed", t(2, 3), offset=0, dim1=0, dim2=1),
    case("torch.diag_embed", t(2, 3), 0, 0, 0),
    case("torch.diagflat", t(2, 2), -1),
    case("torch.Tensor.fill_diagonal_", t(3, 3), 5),
    case("torch.Tensor.fill_diagonal_", t(2, 4), -INF),
    case("torch.Tensor.fill_diagonal_", t(7, 3, grad=False), 0.5, wrap=True),
    case("torch.Tensor.fill_diagonal_", t(7, 3, grad=False), 0.5),
    case("torch.diagonal_scatter", t(3, 3), t(3)),
    case("torch.diagonal_scatter", t(3, 3), t(2), 1),
    case("torch.select_scatter", t(3, 4), t(4), 0, 1),
    case("torch.select_scatter", t(3, 4), t(3), 1, -1),
    case("torch.slice_scatter", t(4, 3), t(2, 3), start=1, end=3),
    case("torch.slice_scatter", t(4, 3), t(4, 1), 1, -1),
    case("torch.diagonal_scatter", t(3, 3), t(2), text=False),
    case("torch.vander", t(3, grad=False)),
    case("torch.vander", t(3, grad=False), 2),
    case("torch.vander", ints(3), N=4, increasing=True),
    case(f"{L}.vander", t(2, 3, grad=False), N=2),
    case("torch.vander", t(3, 2)),
    case("torch.cov", t(3, 5)),
    case("torch.cov", t(5), correction=0),
    case("torch.corrcoef", t(3, 5)),
    case("torch.corrcoef", t(5, grad=False)),
    *[
        case(f"torch.{name}_window", 7, **kwargs)
        for name in ("hann", "hamming", "blackman", "bartlett")
        for kwargs in ({}, {"periodic": False})
    ],
    case("torch.hann_window", 1),
    case("torch.hamming_window", 6, True, 0.5, 0.5, dtype=F64),
]

"""Running maxima and log-sums, differences, integrals."""
import torch

from calls.form import bools, case, ints, t, values

HALF, F64, C64, U8 = torch.float16, torch.float64, torch.complex64, torch.uint8
INF, NAN = float("inf"), float("nan")
TIES = [[1.0, 3.0, 2.0, 3.0, 0.0, 3.0], [2.0, 2.0, 1.0, 1.0, 5.0, 4.0]]

CASES = [
    *[
        case(f"torch.{name}", make(), dim)
        for name in ("cummax", "cummin")
        for make, dim in [
            (lambda: t(3, 7), 1), (lambda: t(5, 2), 0), (lambda: values(TIES), -1), (lambda: t(2, 1), 1),
            (lambda: t(), 0), (lambda: ints(2, 5), 1), (lambda: bools(2, 5), 1),
            (lambda: ints(5, dtype=U8), 0), (lambda: t(2, 5, dtype=HALF), 1),
            (lambda: t(2, 5, dtype=F64), 1), (lambda: values([1.0, NAN, 2.0, INF], grad=False), 0),
            (lambda: t(3, 4), 2),
        ]
    ],
    case("torch.Tensor.cummax", t(2, 3), dim=0),
    case("torch.logcumsumexp", t(2, 9), 1),
    case("torch.logcumsumexp", t(5, 2), 0),
    case("torch.logcumsumexp", t(2, 6, scale=100.0), -1, tolerance=2e-4),
    case("torch.logcumsumexp", values([-INF, -INF, 1.0, INF], grad=False), 0),
    case("torch.logcumsumexp", values([-INF, 0.5, -INF, 1.0]), 0),
    case("torch.logcumsumexp", t(), 0),
    case("torch.logcumsumexp", t(2, 1), 1),
    case("torch.logcumsumexp", t(2, 5, dtype=HALF), 1),
    case("torch.logcumsumexp", t(2, 5, dtype=F64), 1),
    case("torch.logcumsumexp", ints(3), 0),
    case("torch.diff", t(2, 5)),
    case("torch.diff", t(2, 5), 2),
    case("torch.diff", t(3, 4), dim=0),
    case("torch.diff", t(3, 4), n=0),
    case("torch.diff", t(3, 4), prepend=t(3, 1)),
    case("torch.diff", t(3, 4), dim=0, prepend=t(1, 4), append=t(2, 4)),
    case("torch.diff", ints(5)),
    case("torch.diff", bools(5)),
    case("torch.diff", t(3, 4, dtype=C64)),
    case("torch.diff", t(2, 5, dtype=HALF)),
    case("torch.diff", t(3, grad=False), n=9),
    case("torch.diff", t(2)),
    case("torch.diff", t()),
    case("torch.diff", t(3), n=-1),
    case("torch.diff", t(3, 2), dim=2),
    case("torch.diff", t(3, 4), prepend=t(4)),
    case("torch.trapezoid", t(3, 4)),
    case("torch.trapezoid", t(3, 4), dx=2),
    case("torch.trapezoid", t(3, 4), dim=0, dx=0.5),
    case("torch.trapezoid", t(3, 4), t(4)),
    case("torch.trapezoid", t(3, 4), t(3, 4)),
    case("torch.trapezoid", t(3, 4), t(3), dim=0),
    case("torch.trapezoid", ints(4)),
    case("torch.trapz", t(3, 4), t(4)),
    case("torch.trapezoid", t(3, 4), t(3)),
    case("torch.cumulative_trapezoid", t(3, 4)),
    case("torch.cumulative_trapezoid", t(3, 4), t(4)),
]

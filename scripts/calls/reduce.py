"""Sums, products, means, variances, truth over axes."""
import torch

from calls.form import bools, case, ints, t, values

HALF, BF16, F64, C64 = torch.float16, torch.bfloat16, torch.float64, torch.complex64
INF, NAN = float("inf"), float("nan")

DIMS = [{}, {"dim": 0}, {"dim": -1, "keepdim": True}, {"dim": (0, 2)}, {"dim": ()}, {"dim": None}]


def over(name, make, dims=DIMS, **more):
    return [case(name, make(), **kwargs, **more) for kwargs in dims]


CASES = [
    *over("torch.sum", lambda: t(2, 3, 4)),
    *over("torch.mean", lambda: t(2, 3, 4)),
    *over("torch.nansum", lambda: values([[[1.0, NAN], [2.0, 3.0]]]), DIMS[:3]),
    case("torch.Tensor.sum", t(2, 3), 1),
    case("torch.Tensor.sum", t(2, 3), 1, True),
    case("torch.Tensor.sum", t(2, 3), (0, 1)),
    case("torch.Tensor.mean", t(2, 3), -1, keepdim=True),
    case("torch.sum", t()),
    case("torch.sum", t(), dim=0),
    case("torch.mean", t(), dim=-1),
    case("torch.sum", ints(2, 3)),
    case("torch.sum", ints(2, 3, dtype=torch.int32), dim=1),
    case("torch.sum", ints(2, 3, dtype=torch.uint8), 0),
    case("torch.sum", bools(2, 3)),
    case("torch.sum", ints(2, 3), dtype=torch.float32),
    case("torch.sum", t(2, 3, grad=False), dtype=torch.int64),
    case("torch.sum", t(2, 3, dtype=HALF), 1),
    case("torch.sum", t(2, 3, dtype=HALF), dtype=torch.float32),
    case("torch.sum", t(40, dtype=BF16)),
    case("torch.sum", t(2, 3, dtype=F64), 1),
    case("torch.sum", t(2, 3, dtype=C64), 1),
    case("torch.mean", t(2, 3, dtype=C64)),
    case("torch.mean", t(2, 3, dtype=HALF), 1),
    case("torch.mean", ints(3)),
    case("torch.mean", bools(3)),
    case("torch.mean", ints(3), dtype=torch.float32),
    case("torch.sum", t(2, 0), 1),
    case("torch.sum", t(2, 0)),
    case("torch.mean", t(2, 0), 1),
    case("torch.sum", t(2, 3), (0, 0)),
    case("torch.sum", t(2, 3), 2),
    case("torch.mean", t(2, 3), (1, -1)),
    case("torch.prod", t(2, 3)),
    case("torch.prod", t(2, 3), 1),
    case("torch.prod", t(2, 3), -1, True),
    case("torch.prod", values([[2.0, 0.0, 3.0], [0.0, 0.0, 5.0]]), 1),
    case("torch.prod", ints(2, 3)),
    case("torch.prod", ints(3), dtype=torch.float32),
    case("torch.prod", t(2, 0), 1),
    case("torch.logsumexp", t(2, 3), 1),
    case("torch.logsumexp", t(2, 3), (0, 1)),
    case("torch.logsumexp", t(2, 3), -1, True),
    case("torch.logsumexp", t(2, 3, scale=200.0), 1),
    case("torch.logsumexp", values([[-INF, -INF], [1.0, -INF], [INF, 1.0]], grad=False), 1),
    case("torch.logsumexp", values([[-INF, -INF], [1.0, -INF]]), 1),
    case("torch.logsumexp", ints(3), 0),
    case("torch.logsumexp", t(2, 3, dtype=HALF), 0),
    case("torch.logsumexp", t(2, 3, dtype=F64), 0),
    case("torch.logsumexp", t(), 0),
    *over("torch.all", lambda: bools(2, 3, 4), [{}, {"dim": 1}, {"dim": -1, "keepdim": True}, {"dim": (0, 2)}]),
    *over("torch.any", lambda: bools(2, 3, 4), [{}, {"dim": 1}, {"dim": -1, "keepdim": True}, {"dim": (0, 2)}]),
    case("torch.all", t(2, 3)),
    case("torch.any", values([0.0, 0.0])),
    case("torch.any", ints(2, 3, high=2, dtype=torch.uint8), 1),
    case("torch.all", ints(2, 3, high=3)),
    case("torch.all", t(0)),
    case("torch.any", t(0)),
    case("torch.count_nonzero", ints(2, 3, high=2)),
    case("torch.count_nonzero", values([[0.0, 1.0], [0.0, NAN]]), 1),
    case("torch.count_nonzero", bools(2, 3), dim=(0, 1)),
    *[
        case(f"torch.{name}", t(2, 3, 4), **kwargs)
        for name in ("var", "std", "var_mean", "std_mean")
        for kwargs in (
            {}, {"dim": 1}, {"dim": (0, 2), "keepdim": True}, {"dim": -1, "correction": 0},
            {"dim": 1, "unbiased": False}, {"correction": 2},
        )
    ],
    case("torch.var", t(2, 3), False),
    case("torch.var", t(2, 3), 1, False),
    case("torch.std", t(2, 3), 1, False, True),
    case("torch.Tensor.std", t(2, 3), (0, 1)),
    case("torch.var", t(2, 3, dtype=HALF), 1),
    case("torch.var", t(2, 3, dtype=F64), 1),
    case("torch.std", values([[2.0, 2.0], [1.0, 2.0]]), 1),
    case("torch.std", values([[2.0], [1.0]]), 1),
    case("torch.var", values([[2.0], [1.0]]), 1),
    case("torch.std", values([[2.0], [1.0]]), 1, correction=0),
    case("torch.var", t(), correction=0),
    case("torch.var", t(0)),
    case("torch.var", t(2, 0), 1),
    case("torch.var", t(3, shift=1000.0), tolerance=1e-3),
    case("torch.var", ints(4)),
    case("torch.std_mean", bools(4)),
    case("torch.nanmean", values([[1.0, NAN], [2.0, 3.0]])),
    case("torch.nanmean", values([[1.0, NAN], [2.0, 3.0]]), 1),
    case("torch.nanmean", ints(3)),
]

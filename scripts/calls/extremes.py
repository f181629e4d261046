"""Largest and smallest elements, medians, running sums and products."""
import torch

from calls.form import bools, case, ints, t, values

HALF, BF16, F64 = torch.float16, torch.bfloat16, torch.float64
NAN, INF = float("nan"), float("inf")
TIES = [[1.0, 3.0, 3.0], [2.0, 2.0, 2.0], [-1.0, -1.0, -2.0]]

CASES = [
    *[
        case(f"torch.{name}", make(), **kwargs)
        for name in ("amax", "amin")
        for make in (lambda: t(2, 3, 4), lambda: ints(2, 3, 4))
        for kwargs in ({}, {"dim": 1}, {"dim": (0, 2), "keepdim": True}, {"dim": -1})
    ],
    *[
        case(f"torch.{name}", make(), *args, **kwargs)
        for name in ("max", "min")
        for make in (lambda: t(2, 3, 4), lambda: ints(2, 3, 4), lambda: values(TIES))
        for args, kwargs in (((), {}), ((1,), {}), ((0, True), {}), ((), {"dim": -1, "keepdim": True}))
    ],
    *[
        case(f"torch.{name}", make(), **kwargs)
        for name in ("argmax", "argmin")
        for make in (lambda: t(2, 3, 4), lambda: ints(2, 3, 4), lambda: values(TIES))
        for kwargs in ({}, {"dim": 1}, {"dim": 0, "keepdim": True}, {"dim": None, "keepdim": True})
    ],
    case("torch.amax", values(TIES), 1),
    case("torch.amin", values(TIES), (0, 1)),
    case("torch.max", t(2, 3), t(3)),
    case("torch.min", t(2, 3), other=t(2, 1)),
    case("torch.max", values([1.0, 2.0, 3.0]), values([1.0, 5.0, 3.0])),
    case("torch.max", t(2), ints(2)),
    case("torch.Tensor.max", t(2, 3), 1),
    case("torch.Tensor.argmax", t(2, 3), -1),
    case("torch.max", t()),
    case("torch.max", t(), 0),
    case("torch.argmax", t()),
    case("torch.argmax", t(), 0),
    case("torch.amax", t()),
    case("torch.max", bools(2, 3)),
    case("torch.max", bools(2, 3), 1),
    case("torch.amin", bools(2, 3), 1),
    case("torch.amax", ints(2, 3, dtype=torch.int16), 1),
    case("torch.argmax", ints(2, 3, dtype=torch.uint8), 1),
    case("torch.max", t(2, 3, dtype=HALF), 1),
    case("torch.max", t(2, 3, dtype=F64), 1),
    case("torch.amax", t(2, 3, dtype=BF16)),
    case("torch.argmax", t(2, 3, dtype=HALF), 1),
    case("torch.max", values([1.0, INF, -INF]), 0),
    case("torch.aminmax", t(2, 3), dim=1),
    case("torch.aminmax", t(2, 3)),
    case("torch.aminmax", t(2, 3), dim=0, keepdim=True),
    case("torch.amin", t(0, 2), 1),
    case("torch.amax", t(2, 3), (0, 0)),
    case("torch.amax", t(0, 2), 0),
    case("torch.amin", t(0)),
    case("torch.max", t(0)),
    case("torch.max", t(0, 2), 0),
    case("torch.argmax", t(0)),
    case("torch.argmax", t(0, 2), 0),
    case("torch.argmax", bools(3)),
    case("torch.aminmax", t(0)),
    case("torch.max", t(2, 3), 2),
    case("torch.median", t(5)),
    case("torch.median", t(2, 4), 1),
    case("torch.median", t(2, 5), -1, True),
    case("torch.median", t(3, 2)),
    case("torch.median", ints(7)),
    case("torch.cumsum", t(2, 3, 4), 1),
    case("torch.cumsum", t(2, 3), dim=-1),
    case("torch.cumsum", ints(2, 3), 1),
    case("torch.cumsum", bools(4), 0),
    case("torch.cumsum", ints(3, dtype=torch.int32), 0),
    case("torch.cumsum", ints(3), 0, dtype=torch.float32),
    case("torch.cumsum", t(20, dtype=HALF), 0),
    case("torch.cumsum", t(3, dtype=F64), 0),
    case("torch.cumsum", t(), 0),
    case("torch.Tensor.cumsum_", t(3), 0),
    case("torch.cumsum", t(3), 1),
    case("torch.cumprod", t(2, 3, 4), 1),
    case("torch.cumprod", t(7), 0),
    case("torch.cumprod", values([2.0, 0.0, 3.0, 0.0, 4.0]), 0),
    case("torch.cumprod", ints(5, low=1, high=4), 0),
    case("torch.cumprod", ints(3, dtype=torch.int32), 0, dtype=torch.float32),
    case("torch.cumprod", t(1), 0),
    case("torch.cumprod", t(), 0),
]

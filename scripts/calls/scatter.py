"""Elements and blocks written, added or combined at the places of an index."""
import torch

from calls.form import bools, case, ints, t, values

HALF, BF16, F64, C64, I32 = (
    torch.float16, torch.bfloat16, torch.float64, torch.complex64, torch.int32,
)
INF = float("inf")


def at(numbers, dtype=torch.int64):
    return values(numbers, dtype=dtype)


PLACES = [[0, 1, 1, 2], [2, 0, 1, 0], [0, 0, 0, 0]]
REDUCTIONS = ["sum", "prod", "mean", "amax", "amin"]

CASES = [
    case("torch.index_add", t(3, 4), 0, at([0, 2, 0]), t(3, 4)),
    case("torch.index_add", t(3, 4), 1, at([3]), t(3, 1), alpha=-2),
    case("torch.index_add", t(2, 3, 4), 1, at([0, 0]), t(2, 2, 4)),
    case("torch.index_add", t(3, 4), 0, at([1, 1], I32), t(2, 4)),
    case("torch.index_add", t(3), 0, at(1), t()),
    case("torch.index_add", t(), 0, at(0), t()),
    case("torch.index_add", t(3, 4), 0, at(1), t(1, 4)),
    case("torch.index_add", t(3, 4, dtype=HALF), 0, at([0, 0]), t(2, 4, dtype=HALF)),
    case("torch.index_add", t(3, 4, dtype=F64), 0, at([0, 0]), t(2, 4, dtype=F64)),
    case("torch.index_add", t(3, 2, dtype=C64), 0, at([0, 0]), t(2, 2, dtype=C64)),
    case("torch.index_add", ints(3, 4), 0, at([0, 0]), ints(2, 4)),
    case("torch.index_add", t(3, 4), 0, at([]), t(0, 4)),
    case("torch.Tensor.index_add_", t(3, 4), 0, at([0, 2]), t(2, 4)),
    case("torch.Tensor.index_add_", t(3, 4), 0, at([1, 1]), t(2, 4), alpha=0.5),
    case("torch.index_add", t(3, 4), 0, at([0, 5]), t(2, 4)),
    case("torch.index_add", t(3, 4), 0, at([-1]), t(1, 4)),
    case("torch.index_add", t(3, 4), 0, at([0, 1]), t(3, 4)),
    case("torch.index_add", t(3, 4), 0, at([0, 1]), t(2, 4, dtype=F64)),
    case("torch.index_add", t(3, 4), 0, at([0, 1]), t(2, 2)),
    case("torch.index_add", t(3, 4), 0, values([0.0, 1.0]), t(2, 4)),
    case("torch.index_copy", t(3, 4), 0, at([2, 0]), t(2, 4)),
    case("torch.index_copy", t(3, 4), -1, at([1]), t(3, 1)),
    case("torch.index_copy", t(3, 4, dtype=HALF), 0, at([1]), t(1, 4, dtype=HALF)),
    case("torch.index_copy", t(3), 0, at(1), t()),
    case("torch.Tensor.index_copy_", t(3, 4), 0, at([2, 0]), t(2, 4)),
    case("torch.index_copy", t(3, 4), 0, at([0, 5]), t(2, 4)),
    case("torch.index_copy", t(3, 4), 0, at([0, 1]), t(3, 4)),
    case("torch.index_copy", t(3, 4), 0, at([0, 1]), t(2, 4, dtype=F64)),
    case("torch.index_copy", t(3, 4), 0, at([0, 1], I32), t(2, 4)),
    case("torch.index_copy", t(3, 4), 0, at(0), t(4)),
    case("torch.index_fill", t(3, 4), 0, at([2, 0]), 7),
    case("torch.index_fill", t(3, 4), 1, at([-1]), -INF),
    case("torch.index_fill", t(3, 4), 1, at(1), t()),
    case("torch.index_fill", ints(3, 4), 0, at([1]), 2.7),
    case("torch.index_fill", t(3, 4, dtype=HALF), 0, at([1]), 0.1),
    case("torch.index_fill", bools(3, 4), 0, at([1]), True),
    case("torch.Tensor.index_fill_", t(3, 4), 0, at([0, 1]), 0.5),
    case("torch.index_fill", t(3, 4), 0, at([0, 5]), 1.0),
    case("torch.index_fill", t(3, 4), 0, at([0], I32), 1.0),
    case("torch.index_fill", t(3, 4), 0, at([0]), values([1.0])),
    case("torch.index_put", t(3, 4), (at([0, 2]), at([1, 3])), t(2)),
    case("torch.index_put", t(3, 4), (at([0, 2]),), t(2, 4)),
    case("torch.index_put", t(3, 4), (at([0, 2]),), t()),
    case("torch.index_put", t(3, 4), (None, at([0, 2])), t(3, 2)),
    case("torch.index_put", t(3, 4), (at([0, 0]),), t(2, 4), accumulate=True),
    case("torch.index_put", t(3, 4), (at([0, 0]), at([1, 1])), t(1), True),
    case("torch.index_put", t(3, 4), (bools(3, 4),), t()),
    case("torch.index_put", t(3, 4), (bools(3, 4),), t(), True),
    case("torch.index_put", t(3, 4), (values([True, False, True]),), t(2, 4)),
    case("torch.Tensor.index_put_", t(3, 4), (at([0, -1]),), t(2, 4)),
    case("torch.Tensor.index_put_", t(3, 4), [at([0, 0])], t(2, 4), accumulate=True),
    case("torch.index_put", t(3, 4), (at([0]),), t(dtype=F64)),
    case("torch.index_put", t(3, 4), (at([0, 1]),), t(3)),
    case("torch.index_put", t(3, 4), (at([9]),), t()),
    case("torch.scatter", t(3, 4), 0, at(PLACES), t(3, 4)),
    case("torch.scatter", t(3, 4), 1, at([[0, 3], [1, 2]]), t(3, 4, grad=False)),
    case("torch.scatter", t(3, 4), -1, at([[0], [1]]), 2.5),
    case("torch.scatter", t(3, 4), 0, at([[0, 1]]), value=-INF),
    case("torch.scatter", t(3, 4), 0, at([[0, 1]], I32), src=t(1, 2)),
    case("torch.scatter", t(3, 4, dtype=HALF), 0, at([[0, 1]]), t(1, 2, dtype=HALF)),
    case("torch.scatter", ints(3, 4), 0, at([[0, 1]]), 3.9),
    case("torch.scatter", bools(3, 4), 1, at([[0], [2]]), True),
    case("torch.scatter", t(), 0, at(0), t()),
    case("torch.scatter", t(4), 0, at(1), 2.0),
    case("torch.scatter", t(3, 4), 0, at([]), t(0, grad=False)),
    case("torch.scatter", t(3, 4, grad=False), 0, at(PLACES), t(3, 4, grad=False), reduce="add"),
    case("torch.scatter", t(3, 4, grad=False), 0, at(PLACES), 2.0, reduce="multiply"),
    case("torch.Tensor.scatter_", t(3, 4), 1, at([[0], [1], [3]]), 1.0),
    case("torch.Tensor.scatter_", t(3, 4), 1, at([[0, 2], [1, 3], [3, 0]]), t(3, 2)),
    case("torch.Tensor.scatter_", t(3, 4, grad=False), 1, at([[0], [1], [3]]), 1, reduce="add"),
    case("torch.scatter", t(3, 4), 0, at([[5]]), 1.0),
    case("torch.scatter", t(3, 4), 0, at([[-1]]), 1.0),
    case("torch.scatter", t(3, 4), 0, values([[0.0]]), 1.0),
    case("torch.scatter", t(3, 4), 0, at([0, 1]), 1.0),
    case("torch.scatter", t(3, 4), 0, at([[0, 0], [0, 0]]), t(1, 4)),
    case("torch.scatter", t(3, 4), 0, at([[0, 0, 0, 0, 0]]), t(3, 4)),
    case("torch.scatter", t(3, 4), 0, at([[0, 0, 0, 0, 0]]), 1.0),
    case("torch.scatter", t(3, 4), 0, at([[0]]), t(3, 4, dtype=F64)),
    case("torch.scatter", t(3, 4), 0, at([[0]]), t(3, 4), reduce="mean"),
    case("torch.scatter_add", t(3, 4), 0, at(PLACES), t(3, 4)),
    case("torch.scatter_add", t(3, 4), 1, at([[0, 0], [3, 3]]), t(3, 4, grad=False)),
    case("torch.scatter_add", t(3, 4, dtype=HALF), 1, at([[0, 0]]), t(1, 2, dtype=HALF)),
    case("torch.scatter_add", t(3, 4, dtype=F64), 1, at([[0, 0]]), t(1, 2, dtype=F64)),
    case("torch.scatter_add", ints(3, 4), 1, at([[0, 0]]), ints(1, 2)),
    case("torch.scatter_add", t(), 0, at(0), t()),
    case("torch.scatter_add", t(3), 0, at([]), t(0, grad=False)),
    case("torch.Tensor.scatter_add_", t(3, 4), 0, at(PLACES), t(3, 4)),
    case("torch.scatter_add", t(3, 4), 0, at([[5]]), t(3, 4)),
    case("torch.scatter_add", t(3, 4), 0, at([0]), t(3, 4)),
    case("torch.scatter_add", t(3, 4), 0, at([[0]]), t(3, 4, dtype=F64)),
    *[
        case("torch.scatter_reduce", t(3, 4), 0, at(PLACES), t(3, 4), reduce, include_self=own)
        for reduce in REDUCTIONS
        for own in (True, False)
    ],
    *[
        case("torch.scatter_reduce", t(4), 0, at([0, 0, 2]), t(3), reduce, include_self=own)
        for reduce in REDUCTIONS
        for own in (True, False)
    ],
    case("torch.scatter_reduce", values([2.0, 0.0, 3.0]), 0, at([0, 0, 1, 1, 2]),
         values([1.0, 0.0, 0.0, 0.0, 4.0]), "prod"),
    case("torch.scatter_reduce", values([1.0, 5.0]), 0, at([0, 0, 1]), values([1.0, 1.0, 5.0]), "amax"),
    case("torch.scatter_reduce", values([1.0, 5.0]), 0, at([0, 0, 1]), values([1.0, 1.0, 5.0]), "amin",
         include_self=False),
    *[
        case("torch.scatter_reduce", ints(4), 0, at([0, 0, 2]), ints(3, low=-9), reduce)
        for reduce in REDUCTIONS
    ],
    case("torch.scatter_reduce", t(4, dtype=HALF), 0, at([0, 0, 2]), t(3, dtype=HALF), "mean"),
    case("torch.scatter_reduce", t(4, dtype=F64), 0, at([0, 0, 2]), t(3, dtype=F64), "amax"),
    case("torch.Tensor.scatter_reduce_", t(4), 0, at([0, 0, 2]), t(3), "sum"),
    case("torch.Tensor.scatter_reduce_", t(4), 0, at([0, 0, 2]), t(3), "amax", include_self=False),
    case("torch.scatter_reduce", t(4), 0, at([0]), t(3), "foo"),
    case("torch.scatter_reduce", t(4), 0, at([7]), t(3), "sum"),
    case("torch.scatter_reduce", t(4), 0, at([0]), t(3, dtype=F64), "sum"),
    case("torch.masked_scatter", t(3, 4), bools(3, 4), t(12)),
    case("torch.masked_scatter", t(3, 4), values([True, False, True, False]), t(3, 4)),
    case("torch.masked_scatter", t(3, 1), bools(3, 4), t(12)),
    case("torch.masked_scatter", ints(3, 4), bools(3, 4), ints(12)),
    case("torch.masked_scatter", t(3, 4, dtype=HALF), bools(3, 4), t(12, dtype=HALF)),
    case("torch.masked_scatter", t(2), values([False, False]), t(0, grad=False)),
    case("torch.Tensor.masked_scatter_", t(3, 4), bools(3, 4), t(12)),
    case("torch.masked_scatter", t(3, 4), t(3, 4), t(12)),
    case("torch.masked_scatter", t(3, 4), bools(3, 4), t(12, dtype=F64)),
    case("torch.masked_scatter", t(2, 2), values([[True, True], [True, True]]), t(2)),
    case("torch.masked_scatter", t(3, 4), bools(5), t(12)),
]

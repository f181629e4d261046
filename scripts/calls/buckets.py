"""Bins, sorted boundaries, membership, distinct values."""
import torch

from calls.form import bools, case, ints, t, values

HALF, F64, I32, U8 = torch.float16, torch.float64, torch.int32, torch.uint8
NAN = float("nan")


def at(numbers, dtype=None):
    return values(numbers, dtype=dtype, grad=False)


ROWS = at([[1.0, 3.0, 3.0, 7.0], [0.0, 1.0, 2.0, 3.0]])
TABLE = at([[1, 2], [3, 1], [1, 2], [1, 2]])

CASES = [
    case("torch.bincount", at([1, 3, 1, 0])),
    case("torch.bincount", at([1, 3, 1, 0]), minlength=6),
    case("torch.bincount", at([1, 3, 1, 0]), minlength=2),
    case("torch.bincount", at([1, 3, 1]), at([0.5, 1.0, 2.0])),
    case("torch.bincount", at([1, 3, 1]), at([0.5, 1.0, 2.0], F64)),
    case("torch.bincount", at([1, 3, 1]), weights=at([1, 2, 3])),
    case("torch.bincount", at([1, 3], I32)),
    case("torch.bincount", at([], torch.int64), minlength=2),
    case("torch.bincount", at([-1])),
    case("torch.bincount", at([0.5])),
    case("torch.bincount", at([[1]])),
    case("torch.bincount", at([1, 2]), weights=at([1.0])),
    case("torch.bincount", at([1, 2]), minlength=-1),
    case("torch.histc", t(50, grad=False), 5),
    case("torch.histc", t(50, grad=False), 4, -1, 1),
    case("torch.histc", t(5, 5, grad=False), bins=3, min=0.0, max=2.0),
    case("torch.histc", at([1.0, 1.0]), 4),
    case("torch.histc", at([0.0, 1.0, 2.0, 4.0]), 4),
    case("torch.histc", ints(4)),
    case("torch.histc", t(4, grad=False), 0),
    case("torch.histc", t(4, grad=False), 4, 2, 1),
    case("torch.searchsorted", at([1.0, 3.0, 5.0]), at([0.0, 1.0, 2.0, 5.0, 9.0])),
    case("torch.searchsorted", at([1.0, 3.0, 5.0]), at([[1.0, 3.0], [5.0, 9.0]]), right=True),
    case("torch.searchsorted", ROWS, at([[3.0, 0.0], [3.0, 9.0]])),
    case("torch.searchsorted", ROWS, at([[3.0, 0.0], [3.0, 9.0]]), side="right", out_int32=True),
    case("torch.searchsorted", at([1.0, 3.0, 5.0]), 3.0),
    case("torch.searchsorted", at([1, 3, 5]), 3, side="left"),
    case("torch.searchsorted", at([5.0, 1.0, 3.0]), at([2.0, 4.0]), sorter=at([1, 2, 0])),
    case("torch.searchsorted", ROWS, at([3.0])),
    case("torch.searchsorted", ROWS, at([[3.0], [3.0], [3.0]])),
    case("torch.searchsorted", at([1.0]), at([1.0]), side="foo"),
    case("torch.searchsorted", at([1.0]), at([1.0]), side="left", right=True),
    case("torch.bucketize", at([[0.5, 1.0], [3.0, 9.0]]), at([1.0, 3.0])),
    case("torch.bucketize", at([0.5, 1.0, 3.0, 9.0]), at([1.0, 3.0]), right=True),
    case("torch.bucketize", 2.0, at([1.0, 3.0])),
    case("torch.bucketize", at([1, 4]), at([1, 3]), out_int32=True),
    case("torch.bucketize", at([1.0]), at([[1.0]])),
    case("torch.isin", at([[1, 2], [3, 4]]), at([2, 3, 9])),
    case("torch.isin", at([1.0, 2.0]), at([2.0]), invert=True),
    case("torch.isin", at([1, 2]), 1),
    case("torch.isin", 1, at([1, 2])),
    case("torch.isin", at([1, 2]), at([], torch.int64)),
    case("torch.isin", at([1, 2]), at([2.0, 2.5]), assume_unique=True),
    case("torch.unique", at([3, 1, 2, 1])),
    case("torch.unique", at([3.0, NAN, 1.0, NAN, 1.0])),
    case("torch.unique", at([[3, 1], [2, 1]]), return_inverse=True),
    case("torch.unique", at([[3, 1], [2, 1]]), return_counts=True),
    case("torch.unique", at([[3, 1], [2, 1]]), True, True, True),
    case("torch.unique", TABLE, dim=0, return_inverse=True, return_counts=True),
    case("torch.unique", TABLE, dim=1),
    case("torch.unique", bools(5)),
    case("torch.Tensor.unique", at([2, 2, 1]), return_counts=True),
    case("torch.unique_consecutive", at([1, 1, 2, 2, 1])),
    case("torch.unique_consecutive", at([1, 1, 2, 2, 1]), return_inverse=True, return_counts=True),
    case("torch.unique_consecutive", TABLE, dim=0, return_counts=True),
    case("torch.Tensor.unique_consecutive", at([[1, 1], [1, 3]])),
]

"""Rows of tables."""
import torch

from calls.form import case, ints, t, values

F = "torch.nn.functional"

CASES = [
    case(f"{F}.embedding", ints(2, 3, high=5), t(5, 4)),
    case(f"{F}.embedding", ints(3, high=5), t(5, 4)),
    case(f"{F}.embedding", values(2), t(5, 4)),
    case(f"{F}.embedding", values([[1, 1], [1, 0]]), t(5, 4)),
    case(f"{F}.embedding", values([0, 3, 0, 1]), t(5, 4), padding_idx=0),
    case(f"{F}.embedding", values([4, 3, 4, 1]), t(5, 4), padding_idx=-1),
    case(f"{F}.embedding", ints(3, high=5, dtype=torch.int32), t(5, 4)),
    case(f"{F}.embedding", ints(0), t(5, 4)),
    case(f"{F}.embedding", ints(2, 3, high=5), t(5, 4, dtype=torch.float16)),
    case(f"{F}.embedding", values([0, 3, 0, 1]), t(5, 4, dtype=torch.bfloat16), padding_idx=0),
    case(f"{F}.embedding", ints(2, 3, high=5), t(5, 4, dtype=torch.float64)),
    case(f"{F}.embedding", values([0, 3]), t(3, 2)),
    case(f"{F}.embedding", values([0, -1]), t(3, 2)),
    case(f"{F}.embedding", values([0.0, 1.0], grad=False), t(3, 2)),
    case(f"{F}.embedding", values([0, 1]), t(3)),
    case(f"{F}.one_hot", values([[0, 2], [1, 1]])),
    case(f"{F}.one_hot", values([0, 2]), 5),
    case(f"{F}.one_hot", values(1), num_classes=3),
    case(f"{F}.one_hot", values([0, 3]), 3),
    case(f"{F}.one_hot", values([0, -1])),
    case(f"{F}.one_hot", values([0.0, 1.0], grad=False)),
    case(f"{F}.embedding_bag", ints(2, 3, high=5), t(5, 4)),
    case(f"{F}.embedding_bag", ints(2, 3, high=5), t(5, 4), mode="sum"),
    case(f"{F}.embedding_bag", ints(2, 3, high=5), t(5, 4), mode="sum", per_sample_weights=t(2, 3)),
    case(f"{F}.embedding_bag", ints(5, high=5), t(5, 4), values([0, 2, 2])),
    case(f"{F}.embedding_bag", ints(5, high=5), t(5, 4), values([0, 2, 5]), include_last_offset=True),
    case(f"{F}.embedding_bag", values([[1, 2], [2, 2]]), t(5, 4), padding_idx=2),
    case(f"{F}.embedding_bag", ints(5, high=5), t(5, 4)),
    case(f"{F}.embedding_bag", ints(1, 2, high=5), t(5, 4), values([0])),
    case(f"{F}.embedding_bag", ints(1, 2, high=5), t(5, 4), mode="x"),
    case(f"{F}.embedding_bag", ints(1, 2, high=5), t(5, 4), per_sample_weights=t(1, 2)),
]

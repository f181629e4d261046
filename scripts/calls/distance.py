"""Norms and distances."""
import torch

from calls.form import case, ints, t, values

HALF, BF16, F64 = torch.float16, torch.bfloat16, torch.float64
INF = float("inf")
F = "torch.nn.functional"
ZEROS = [[0.0, 0.0, 0.0], [3.0, 0.0, -4.0]]
ORDERS = [2, 1, 3, 0, 0.5, 1.5, INF, -INF, 2.0]

CASES = [
    *[case("torch.norm", t(2, 3), p) for p in ORDERS],
    *[case("torch.norm", t(2, 3, 4), p, 1) for p in ORDERS],
    *[case("torch.norm", values(ZEROS), p, 1) for p in (2, 1, 3, INF, 1.5)],
    *[case("torch.linalg.vector_norm", t(2, 3), ord, dim=-1, keepdim=True) for ord in ORDERS],
    case("torch.norm", t(2, 3)),
    case("torch.Tensor.norm", t(2, 3)),
    case("torch.Tensor.norm", t(2, 3), dim=-1),
    case("torch.Tensor.norm", t(2, 3), 2, -1, True),
    case("torch.Tensor.norm", t(2, 3), p=2, dim=(0, 1)),
    case("torch.norm", t(2, 3), "fro", 1),
    case("torch.norm", t(2, 3), "fro", (0, 1)),
    case("torch.norm", t(2, 3), 2, keepdim=True),
    case("torch.norm", t(3, dtype=HALF)),
    case("torch.norm", t(3, dtype=HALF), dtype=torch.float32),
    case("torch.norm", t(3, dtype=F64), 3),
    case("torch.norm", t(0)),
    case("torch.norm", t()),
    case("torch.norm", t(0), INF),
    case("torch.norm", ints(3)),
    case("torch.norm", t(3), "x"),
    case("torch.linalg.norm", t(2, 3)),
    case("torch.linalg.norm", t(2, 3), dim=-1),
    case("torch.linalg.norm", t(2, 3, 4)),
    case("torch.linalg.norm", t(3), 1),
    *[case("torch.linalg.norm", t(2, 3), ord) for ord in (1, -1, INF, -INF, "fro")],
    case("torch.linalg.norm", t(2, 3, 4), 1, (1, 2)),
    case("torch.linalg.norm", t(2, 3, 4), INF, (0, 2), True),
    case("torch.linalg.norm", t(2, 3, 4), 2),
    case("torch.linalg.matrix_norm", t(2, 3, 4)),
    case("torch.linalg.matrix_norm", t(2, 3, 4), 1),
    case(f"{F}.normalize", t(2, 3)),
    case(f"{F}.normalize", t(2, 3, 4), dim=-1),
    case(f"{F}.normalize", t(2, 3), p=1, dim=0),
    case(f"{F}.normalize", values(ZEROS), tolerance=1e-4),
    case(f"{F}.normalize", t(2, 3, dtype=HALF), dim=-1, tolerance=4e-3),
    case(f"{F}.normalize", t(2, 3), dim=(0, 1)),
    case(f"{F}.normalize", ints(2, 3)),
    case(f"{F}.cosine_similarity", t(2, 3), t(2, 3)),
    case(f"{F}.cosine_similarity", t(2, 3, 4), t(3, 4), dim=-1),
    case(f"{F}.cosine_similarity", t(5, 1, 4), t(3, 4), dim=2),
    case(f"{F}.cosine_similarity", values([[0.0, 0.0], [3.0, 4.0]]), values([[1.0, 2.0], [1.0, 2.0]])),
    case("torch.cosine_similarity", t(3), t(3), 0),
    case(f"{F}.cosine_similarity", ints(2, 3), ints(2, 3)),
    case(f"{F}.cosine_similarity", t(2, 3), t(2, 4)),
    case(f"{F}.pairwise_distance", t(2, 3), t(2, 3)),
    case(f"{F}.pairwise_distance", t(2, 3), t(3), p=1, keepdim=True),
    case("torch.dist", t(2, 3), t(2, 3)),
    case("torch.dist", t(2, 3), t(3), 1),
    case("torch.cdist", t(2, 3), t(4, 3)),
    case("torch.cdist", t(5, 2, 3), t(5, 4, 3), p=1.0),
    case("torch.cdist", t(2, 3), t(4, 5)),
]

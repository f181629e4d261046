"""Scaled dot-product attention."""
import torch

from calls.form import bools, case, ints, t, values

HALF, BF16, F64 = torch.float16, torch.bfloat16, torch.float64
INF = float("inf")
NAME = "torch.nn.functional.scaled_dot_product_attention"


def qkv(*batch, queries=3, keys=5, width=4, wide=None, dtype=torch.float32):
    wide = wide or width
    make = lambda rows, columns: t(*batch, rows, columns, dtype=dtype)
    return make(queries, width), make(keys, width), make(keys, wide)


LOWER = torch.ones(3, 5).tril(1).bool()
HOLES = torch.tensor([[1, 1, 0, 0, 1], [0, 0, 0, 0, 0], [0, 0, 1, 0, 0]]).bool()
ADDED = torch.where(HOLES, 0.5, -INF)

CASES = [
    case(NAME, *qkv(2, 2)),
    case(NAME, *qkv(2, 2), scale=0.3),
    case(NAME, *qkv(2, 2), scale=1.0),
    case(NAME, *qkv(2)),
    case(NAME, *qkv()),
    case(NAME, *qkv(1, 2, 2)),
    case(NAME, *qkv(2, 2, wide=6)),
    case(NAME, *qkv(2, 2), is_causal=True),
    case(NAME, *qkv(2, 2, queries=5), is_causal=True),
    case(NAME, *qkv(2, 2, queries=5, keys=3), is_causal=True),
    case(NAME, *qkv(2, 2), values(LOWER.tolist())),
    case(NAME, *qkv(2, 2), attn_mask=values(HOLES.tolist())),
    case(NAME, *qkv(2, 2), attn_mask=values(ADDED.tolist(), grad=False)),
    case(NAME, *qkv(2, 2), attn_mask=t(3, 5)),
    case(NAME, *qkv(2, 2), attn_mask=t(2, 1, 3, 5)),
    case(NAME, *qkv(2, 2), attn_mask=t(1, 2, 1, 5)),
    case(NAME, *qkv(2, 2), attn_mask=bools(2, 1, 1, 5)),
    case(NAME, *qkv(2), attn_mask=values(HOLES.tolist()), tolerance=3e-5),
    case(NAME, t(2, 2, 3, 4), t(1, 2, 5, 4), t(2, 1, 5, 4)),
    case(NAME, *qkv(2, 2), dropout_p=0.0),
    case(NAME, *qkv(2, 2), dropout_p=0.4),
    case(NAME, *qkv(2, 3, keys=7), values([[True, False, True, True, True, True, False]] * 3), dropout_p=0.4),
    case(NAME, *qkv(2, 2, dtype=HALF), dropout_p=0.4),
    case(NAME, t(2, 4, 3, 4), t(2, 2, 5, 4), t(2, 2, 5, 4), enable_gqa=True, dropout_p=0.3),
    case(NAME, t(2, 4, 3, 4), t(2, 2, 5, 4), t(2, 2, 5, 4), enable_gqa=True),
    case(NAME, t(2, 4, 3, 4), t(2, 1, 5, 4), t(2, 1, 5, 6), enable_gqa=True, is_causal=True),
    case(NAME, t(2, 4, 3, 4), t(2, 2, 5, 4), t(2, 2, 5, 4), t(2, 4, 3, 5), enable_gqa=True),
    case(NAME, t(2, 4, 3, 4), t(2, 2, 5, 4), t(2, 2, 5, 4), values(HOLES.tolist()), enable_gqa=True),
    case(NAME, t(4, 3, 4), t(2, 5, 4), t(2, 5, 4), enable_gqa=True),
    case(NAME, *qkv(2, 2, dtype=HALF), tolerance=8e-3),
    case(NAME, *qkv(2, 2, dtype=BF16), is_causal=True, tolerance=3e-2),
    case(NAME, *qkv(2, 2, dtype=F64), is_causal=True),
    case(NAME, *qkv(2, 2, dtype=HALF), attn_mask=values(ADDED.tolist(), grad=False, dtype=HALF)),
    case(NAME, t(2, 2, 3, 4, grad=False), t(2, 2, 5, 4), t(2, 2, 5, 4, grad=False)),
    case(NAME, t(2, 2, 3, 4, grad=False), t(2, 2, 5, 4, grad=False), t(2, 2, 5, 4)),
    case(NAME, *qkv(2, 2), values(LOWER.tolist()), is_causal=True),
    case(NAME, *qkv(2, 2), ints(3, 5)),
    case(NAME, *qkv(2, 2), t(4, 5)),
    case(NAME, t(1, 4, 3, 4), t(1, 2, 3, 4), t(1, 2, 3, 4)),
    case(NAME, t(1, 4, 3, 4), t(1, 3, 3, 4), t(1, 3, 3, 4), enable_gqa=True),
    case(NAME, t(1, 1, 3, 4), t(1, 1, 3, 5), t(1, 1, 3, 4)),
    case(NAME, t(2, 1, 3, 4), t(3, 1, 3, 4), t(3, 1, 3, 4)),
    case(NAME, t(2, 1, 3, 4), t(2, 1, 3, 4, dtype=HALF), t(2, 1, 3, 4, dtype=HALF)),
    case(NAME, ints(2, 1, 3, 4), ints(2, 1, 3, 4), ints(2, 1, 3, 4)),
    case(NAME, t(4), t(4), t(4)),
]

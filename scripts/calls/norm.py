"""Normalisation."""
import torch

from calls.form import case, ints, t, values

HALF, BF16, F64 = torch.float16, torch.bfloat16, torch.float64
F = "torch.nn.functional"

CASES = [
    case(f"{F}.layer_norm", t(2, 3, 4), (4,)),
    case(f"{F}.layer_norm", t(2, 3, 4), (4,), t(4), t(4)),
    case(f"{F}.layer_norm", t(2, 3, 4), (4,), t(4)),
    case(f"{F}.layer_norm", t(2, 3, 4), (4,), None, t(4)),
    case(f"{F}.layer_norm", t(2, 3, 4), [3, 4], t(3, 4), t(3, 4), 0.1),
    case(f"{F}.layer_norm", t(4), (4,), t(4), t(4), eps=1e-3),
    case(f"{F}.layer_norm", values([[2.0, 2.0, 2.0], [1.0, 2.0, 4.0]]), (3,), t(3), t(3), tolerance=1e-4),
    case(f"{F}.layer_norm", t(2, 4, dtype=HALF), (4,), t(4, dtype=HALF), t(4, dtype=HALF)),
    case(f"{F}.layer_norm", t(2, 4, dtype=BF16), (4,), t(4), t(4), tolerance=1.6e-2),
    case(f"{F}.layer_norm", t(2, 4, dtype=F64), (4,), t(4, dtype=F64), t(4, dtype=F64)),
    case(f"{F}.layer_norm", t(2, 4, grad=False), (4,), t(4), t(4)),
    case(f"{F}.layer_norm", t(2, 3), (4,)),
    case(f"{F}.layer_norm", t(2, 3), (3,), t(4)),
    case(f"{F}.layer_norm", t(2, 3), ()),
    case(f"{F}.layer_norm", t(2, 3), (3,), t(3, dtype=HALF)),
    case(f"{F}.layer_norm", ints(2, 3), (3,)),
    case("torch.layer_norm", t(2, 3), [3]),
    case(f"{F}.rms_norm", t(2, 3, 4), (4,)),
    case(f"{F}.rms_norm", t(2, 3, 4), (4,), t(4)),
    case(f"{F}.rms_norm", t(2, 3, 4), (3, 4), t(3, 4), 1e-3),
    case(f"{F}.rms_norm", t(2, 4, scale=1e-3), (4,), t(4), eps=1e-6),
    case(f"{F}.rms_norm", t(2, 4, scale=1e-3), (4,)),
    case(f"{F}.rms_norm", t(2, 4, dtype=HALF), (4,), t(4, dtype=HALF)),
    case(f"{F}.rms_norm", t(2, 4, dtype=HALF, scale=1e-2), (4,)),
    case(f"{F}.rms_norm", t(2, 4, dtype=BF16), (4,), t(4, dtype=BF16)),
    case(f"{F}.rms_norm", t(2, 4, dtype=F64), (4,), t(4, dtype=F64)),
    case(f"{F}.rms_norm", t(2, 3), (4,)),
    case(f"{F}.rms_norm", t(2, 3), (3,), t(4)),
    case(f"{F}.rms_norm", ints(2, 3), (3,)),
]

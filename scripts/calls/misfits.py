"""What PyTorch says of the mistakes that model files have most: sizes and types that do not fit."""

import torch

from calls.form import bools, case, ints, t

H = torch.float16
LINEAR = "torch.nn.functional.linear"

LINEARS = [
    case(LINEAR, t(2, 6), t(4, 5)),
    case(LINEAR, t(2, 6), t(4, 5), t(4)),
    case(LINEAR, t(2, 3, 6), t(4, 5), t(4)),
    case(LINEAR, t(6), t(4, 5), t(4)),
    case(LINEAR, t(2, 5), t(4, 5, dtype=H)),
    case(LINEAR, t(2, 5), t(4, 5, dtype=H), t(4, dtype=H)),
    case(LINEAR, t(2, 5), t(4, 5), t(4, dtype=H)),
    case(LINEAR, t(2, 3, 5, dtype=torch.bfloat16), t(4, 5), t(4)),
    case(LINEAR, ints(2, 5), t(4, 5), t(4)),
]
EXPANDED = [
    case("torch.Tensor.expand", t(2, 6, 8), 2, 6, 16),
    case("torch.Tensor.expand", t(2, 6, 8), 6, 16),
    case("torch.Tensor.expand", t(2, 6, 8), 3, 2, 6, 16),
    case("torch.Tensor.expand", t(2, 6, 8), 2, 5, -1),
    case("torch.Tensor.expand", t(2, 6, 8), -1, 2, 6, 8),
    case("torch.Tensor.expand", t(2, 6, 8), 8),
]
FILLED = [
    case("torch.Tensor.masked_fill", t(2, dtype=H), bools(2), 1e9),
    case("torch.Tensor.masked_fill", t(2, dtype=torch.bfloat16), bools(2), -1e39),
    case("torch.full", (2,), 1e9, dtype=H),
    case("torch.Tensor.masked_fill", t(2), t(2, grad=False), 0),
    case("torch.Tensor.masked_fill", t(2), t(2, dtype=H, grad=False), 0),
    case("torch.Tensor.masked_fill", t(2), ints(2), 0),
    case("torch.Tensor.masked_fill", t(2), ints(2, dtype=torch.uint8), 0),
]

CASES = [*LINEARS, *EXPANDED, *FILLED]

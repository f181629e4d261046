"""Activation functions and softmax."""
import torch

from calls.form import bools, case, ints, t, values

HALF, BF16, F64 = torch.float16, torch.bfloat16, torch.float64
INF, NAN = float("inf"), float("nan")
F = "torch.nn.functional"
CORNERS = [-100.0, -30.0, -6.0, -3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 6.0, 30.0, 100.0]

PLAIN = [
    "relu", "gelu", "silu", "sigmoid", "tanh", "softplus", "elu", "selu", "celu", "leaky_relu",
    "relu6", "hardtanh", "hardsigmoid", "hardswish", "mish", "softsign", "logsigmoid",
    "tanhshrink", "hardshrink", "softshrink",
]
IN_PLACE = [
    "relu", "silu", "elu", "selu", "celu", "leaky_relu", "relu6", "hardtanh", "hardsigmoid",
    "hardswish", "mish",
]

CASES = [
    *[case(f"{F}.{name}", t(2, 5)) for name in PLAIN],
    *[case(f"{F}.{name}", values(CORNERS)) for name in PLAIN],
    *[case(f"{F}.{name}", t(2, 5, dtype=HALF)) for name in PLAIN],
    *[case(f"{F}.{name}", t(2, 5, dtype=F64)) for name in PLAIN],
    *[case(f"{F}.{name}", ints(5)) for name in PLAIN],
    *[case(f"{F}.{name}", bools(5)) for name in PLAIN if name not in ("softsign", "tanhshrink")],
    *[case(f"{F}.{name}", t(2, 5), inplace=True) for name in IN_PLACE],
    case("torch.relu_", t(5)),
    case("torch.Tensor.relu_", t(5)),
    case("torch.Tensor.sigmoid_", t(5)),
    case("torch.Tensor.tanh_", t(5)),
    case(f"{F}.elu_", t(5)),
    case(f"{F}.leaky_relu_", t(5), 0.1),
    case(f"{F}.gelu", t(5, dtype=BF16)),
    case(f"{F}.silu", t(5, dtype=BF16)),
    case(f"{F}.gelu", t(2, 5), approximate="tanh"),
    case(f"{F}.gelu", values(CORNERS), approximate="tanh"),
    case(f"{F}.gelu", t(2, 5, dtype=F64), approximate="tanh"),
    case(f"{F}.gelu", t(2), approximate="x"),
    case("torch.Tensor.relu", t(3)),
    case("torch.sigmoid", ints(3)),
    case("torch.tanh", t(3, dtype=BF16)),
    case(f"{F}.softplus", values(CORNERS), beta=2.0, threshold=1.0),
    case(f"{F}.elu", values(CORNERS), alpha=0.5),
    case(f"{F}.celu", values(CORNERS), alpha=0.5),
    case(f"{F}.leaky_relu", values(CORNERS), negative_slope=0.2),
    case(f"{F}.hardtanh", values(CORNERS), -0.5, 3.0),
    case(f"{F}.hardtanh", values(CORNERS), 1.0, -1.0),
    case(f"{F}.threshold", values(CORNERS), 0.5, -2.0),
    case(f"{F}.hardshrink", values(CORNERS), 1.0),
    case(f"{F}.softshrink", values(CORNERS), 1.0),
    case(f"{F}.prelu", t(2, 3), values([0.25])),
    case(f"{F}.prelu", t(2, 3), t(3)),
    case(f"{F}.prelu", t(2, 3, 4), t(3)),
    case(f"{F}.prelu", values([-1.0, 0.0, 2.0]), values([0.25])),
    case(f"{F}.prelu", t(2, 3), t(2)),
    case(f"{F}.glu", t(2, 4)),
    case(f"{F}.glu", t(4, 3), 0),
    case(f"{F}.glu", t(4, 3)),
    case(f"{F}.glu", t()),
    *[case(f"{F}.{name}", t(2, 3, 4), dim=dim) for name in ("softmax", "log_softmax", "softmin") for dim in (-1, 0, 1)],
    case("torch.softmax", t(2, 3), 1),
    case("torch.softmax", t(2, 3, scale=100.0), 1),
    case("torch.log_softmax", t(2, 3, scale=100.0), 1),
    case("torch.Tensor.softmax", t(2, 3), dim=0),
    case("torch.Tensor.log_softmax", t(2, 3), -1),
    case(f"{F}.softmax", t(2, 3)),
    case(f"{F}.softmax", t(3)),
    case(f"{F}.softmax", t(2, 3, 4)),
    case(f"{F}.softmax", t(), dim=0),
    case(f"{F}.softmax", t(2, 0), dim=1),
    case(f"{F}.softmax", t(2, 3, dtype=HALF), dim=1),
    case(f"{F}.softmax", t(2, 3, dtype=HALF), dim=1, dtype=torch.float32),
    case(f"{F}.softmax", t(2, 3, dtype=BF16), dim=1),
    case(f"{F}.softmax", t(2, 3, dtype=F64), dim=1),
    case(f"{F}.log_softmax", t(2, 3, dtype=F64), dim=0),
    case(f"{F}.softmax", ints(3), dim=0, dtype=torch.float32),
    case(f"{F}.softmax", ints(3), dim=0),
    case(f"{F}.log_softmax", ints(2, 3), dim=0),
    case(f"{F}.softmax", t(2, 3), dim=2),
    case(f"{F}.softmax", values([[-INF, -INF], [0.0, 1.0], [-INF, 1.0]]), dim=-1),
    case(f"{F}.log_softmax", values([[-INF, -INF], [0.0, 1.0], [-INF, 1.0]]), dim=-1),
    case(f"{F}.gumbel_softmax", t(2, 5)),
    case(f"{F}.gumbel_softmax", t(2, 5), tau=0.5, hard=True),
    case(f"{F}.gumbel_softmax", t(3, 2), dim=0, hard=True),
]

"""Kinds of call that random programs found to differ (scripts/fuzz-torch.mjs)."""

import torch

from calls.form import bools, case, ints, t, values

C = torch.complex64

# A complex tensor as a real one: its real part, and whether it is not 0.
CASTS = [
    case("torch.Tensor.type_as", t(2, 3, dtype=C, grad=False), t(1)),
    case("torch.Tensor.type_as", t(2, dtype=C, grad=False), t(1, dtype=torch.bfloat16)),
    case("torch.Tensor.short", t(2, 3, dtype=C, scale=9, grad=False)),
    case("torch.Tensor.bool", values([0j, 1j, 2 + 0j], grad=False)),
]
# Types that have no arithmetic.
TYPES = [
    case("torch.sub", bools(3), 1),
    case("torch.sub", ints(3), bools(3)),
    case("torch.rsub", bools(3), 1),
    case("torch.neg", bools(3)),
    case("torch.bitwise_left_shift", t(3, grad=False), t(3, grad=False)),
    case("torch.bitwise_right_shift", ints(3), t(3, grad=False)),
    case("torch.remainder", t(3, dtype=C, grad=False), 2),
    case("torch.fmod", bools(3), bools(3)),
    case("torch.floor_divide", bools(3), True),
    case("torch.addcmul", bools(3), bools(3), bools(3)),
    case("torch.lerp", ints(3), ints(3), 0.25),
    case("torch.lerp", t(3), t(3, dtype=torch.float64), 0.25),
    case("torch.bitwise_not", t(3, grad=False)),
    case("torch.logical_and", t(3, grad=False), 1.5, text=False),
    case("torch.Tensor.mul_", t(0, 1, 3, grad=False), t(0, 4, 3, grad=False)),
    case("torch.trace", ints(3, 3, dtype=torch.int32)),
    case("torch.addcdiv", t(3, dtype=C), t(3, dtype=C), t(3, dtype=C), value=2),
    case(
        "torch.index_add",
        t(3, dtype=torch.float16),
        0,
        values([0, 2]),
        t(2, dtype=torch.float16),
        alpha=2,
    ),
]
# Tensors without axes, and axes that are named twice or not there.
AXES = [
    case("torch.t", t(2, 3, 4)),
    case("torch.diagonal", t(2, 3), 0, 1, 1),
    case("torch.diagonal", t(2, 3), 0, 1, -1),
    case("torch.unbind", t(), 0),
    case("torch.narrow", t(), 0, 0, 1),
    case("torch.select", t(), -1, -1),
    case("torch.chunk", t(), 1, 1),
    case("torch.roll", t(), 1, -1),
    case("torch.swapaxes", t(), 0, -2),
    case("torch.swapaxes", t(), 0, -1),
]
MASKS = [
    case("torch.masked_select", t(3), values([[True, False, True], [True, True, False]])),
    case("torch.masked_select", t(3, 1, dtype=C), bools(2, 3, 2)),
    case("torch.masked_select", t(2, dtype=C), values([True, False])),
]

# Whether complex numbers are 0.
TRUTH = [
    case("torch.nonzero", values([[0j, 1j], [2 + 0j, 0j]], grad=False)),
    case("torch.argwhere", values(1j, grad=False)),
    case("torch.all", values([[0j, 1j], [2 + 0j, 1j]], grad=False), 1),
    case("torch.any", values([[0j, 0j], [2 + 0j, 0j]], grad=False), 1),
    case("torch.count_nonzero", values([[0j, 1j], [2 + 0j, 0j]], grad=False)),
    case("torch.amax", values([1j, 2j], grad=False), 0),
    case("torch.amin", values([1j, 2j], grad=False), 0),
]

# Truths that have no rounding, powers or differences; comparisons in place.
TRUTHS = [
    case("torch.rsub", t(2, dtype=torch.float64), True),
    case("torch.sub", t(2), True),
    case("torch.round", bools(3)),
    case("torch.floor", bools(3)),
    case("torch.square", bools(3)),
    case("torch.pow", bools(3), bools(3)),
    case("torch.triu_indices", 2, 3, dtype=torch.float32),
    case("torch.Tensor.lt_", t(3, grad=False), 0),
    case("torch.Tensor.ne_", ints(3), t(3, grad=False)),
    case("torch.logical_not", values([0j, 1j], grad=False)),
]
# Tensors without axes: what has a view, and what has none.
WITHOUT_AXES = [
    case("torch.Tensor.unfold", t(), 0, 1, 1),
    case("torch.Tensor.unfold", t(), 0, 2, 1),
    case("torch.tensor_split", t(), 1),
    case("torch.split", t(), 1),
    case("torch.adjoint", t()),
    case("torch.adjoint", t(3)),
    case("torch.sum", t(dtype=C, grad=False), 0),
    case("torch.mean", t(dtype=C, grad=False), 0),
    case("torch.index_add", t(dtype=C), 0, values([0]), t(dtype=C), alpha=2),
    case("torch.diagonal", t(1, 2), -1),
    case("torch.gather", ints(5), 0, values([], dtype=torch.uint8)),
]
# In PyTorch's graph, although no gradient reaches them.
UNREACHED = [
    case("torch.fill", t(3), True),
    case("torch.norm", t(3), 0),
    case("torch.linalg.slogdet", t(3, 3)),
]
# Arguments that PyTorch has no gradient for, divisions by 0, forms of arguments.
REFUSED = [
    case("torch.nn.functional.soft_margin_loss", t(3), t(3)),
    case("torch.nn.functional.nll_loss", t(1, 3), values([1]), t(3)),
    case("torch.floor_divide", ints(3), values([1, 0, 2])),
    case("torch.pow", values([-2, 3, -1]), values([-2, 3, -3])),
    case("torch.Tensor.fill_diagonal_", ints(3, 2, 3), 2),
    case("torch.nn.functional.embedding_bag", t(5, 2), values([0, 4, 1]), values([0, 1])),
    case("torch.mul", values([1 + 2j, complex(3, float("inf"))], grad=False), 1.0),
]
# A tensor of one number where a plain one is meant; one with axes, or with a gradient, is none.
THREE = values(3)
ONE_NUMBER = [
    case("torch.nn.functional.one_hot", values([0, 1]), THREE),
    case("torch.narrow", t(3, 4), 1, 0, THREE),
    case("torch.Tensor.view", t(12), THREE, 4),
    case("torch.Tensor.reshape", t(12), THREE, -1),
    case("torch.zeros", THREE, 2),
    case("torch.Tensor.topk", t(2, 5), values(2)),
    case("torch.split", t(4, 5), THREE),
    case("torch.eye", THREE),
    case("torch.softmax", t(2, 5), values(1)),
    case("torch.Tensor.expand", t(2, 4), THREE, 2, 4),
    case("torch.nn.functional.pad", t(2, 4), [THREE, 0]),
    case("torch.Tensor.repeat", t(2, 4), THREE, 1),
    case("torch.full", [THREE, 2], THREE),
    case("torch.roll", t(3, 5), THREE, 1),
    case("torch.triu", t(4, 4), values(1)),
    case("torch.sum", t(3, 4), values(1)),
    case("torch.clamp", t(3, 4), values(-0.5), values(0.5)),
    case("torch.nn.functional.leaky_relu", t(3, 4), values(0.25, grad=False)),
    case("torch.narrow", t(3, 4), 1, 0, values([3, 2]), text=False),
    case("torch.eye", t(grad=False), text=False),
]
SAME_TYPE = [case("torch.Tensor.view", t(2, 3), torch.float32)]
# Numbers that are none of an integer type.
FAR = values([float("inf"), float("-inf"), float("nan"), 1e20, -1e20, 2.75, -2.75], grad=False)
WHOLE = [case(f"torch.Tensor.{name}", FAR) for name in ("long", "int", "short", "byte")]
PARTS = [
    case("torch.chunk", t(), 0),
    case("torch.chunk", t(4), 0),
    case("torch.chunk", t(4), -1, 3),
    case("torch.tensor_split", t(4), 0),
    case("torch.tensor_split", t(4), -1),
    case("torch.split", t(4), 0),
    case("torch.split", t(0), 0),
    case("torch.split", t(0), -1),
    case("torch.Tensor.split", t(4), -1),
    case("torch.split", t(4), [5, -1]),
]

CASES = [
    *CASTS,
    *TYPES,
    *AXES,
    *MASKS,
    *TRUTH,
    *TRUTHS,
    *WITHOUT_AXES,
    *UNREACHED,
    *REFUSED,
    *ONE_NUMBER,
    *WHOLE,
    *SAME_TYPE,
    *PARTS,
]

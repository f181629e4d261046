"""The form of a case, and PyTorch's answer to it.

    case("torch.softmax", t(2, 3), dim=-1)        random float32 that requires a gradient
    case("torch.Tensor.relu_", t(2, 3))           edits: the call gets a clone
    case("torch.where", values([True, False]), t(2), 0.0)
    case("torch.mm", t(2, 3), t(4, 5), text=False)   only the type of the error counts

The gradient is that of the sum of all float results, each times `weights` of its size.
"""
from dataclasses import dataclass, field
import math

import torch

made = 0


@dataclass
class Case:
    name: str
    args: tuple
    kwargs: dict
    text: bool = True
    tolerance: float | None = None


@dataclass
class T:
    data: torch.Tensor
    grad: bool = field(default=True)


def case(name, *args, text=True, tolerance=None, **kwargs):
    return Case(name, args, kwargs, text, tolerance)


def t(*shape, dtype=torch.float32, grad=True, scale=1.0, shift=0.0):
    """Normal numbers, the same at every recording."""
    global made
    made += 1
    generator = torch.Generator().manual_seed(1000 + made)
    part = torch.complex128 if dtype.is_complex else torch.float64
    numbers = torch.randn(shape, generator=generator, dtype=part) * scale + shift
    return T(numbers.to(dtype), grad)


def values(numbers, dtype=None, grad=True):
    """The tensor of these numbers."""
    data = torch.tensor(numbers, dtype=dtype)
    return T(data, grad and (data.is_floating_point() or data.is_complex()))


def ints(*shape, low=0, high=10, dtype=torch.int64):
    global made
    made += 1
    generator = torch.Generator().manual_seed(1000 + made)
    return T(torch.randint(low, high, shape, generator=generator).to(dtype), False)


def bools(*shape):
    return T(ints(*shape, high=2).data.bool(), False)


def answer(case):
    torch.manual_seed(0)
    edits = case.name.endswith("_") or case.kwargs.get("inplace") is True
    leaves, inputs = [], []
    record = {
        "name": case.name,
        "args": [encode(arg) for arg in case.args],
        "kwargs": {key: encode(arg) for key, arg in case.kwargs.items()},
    }
    if edits:
        record["edits"] = True
    if case.tolerance is not None:
        record["tolerance"] = case.tolerance
    args = [live(arg, leaves, inputs, edits) for arg in case.args]
    kwargs = {key: live(arg, leaves, inputs, edits) for key, arg in case.kwargs.items()}
    try:
        result = function(case.name)(*args, **kwargs)
    except Exception as error:
        text = str(error).split("\n")[0] if case.text else None
        record["error"] = {"type": type(error).__name__, "text": text}
        return record
    record["result"] = encode_result(result)
    after = [None if same(before, now) else tensor(now) for before, now in inputs]
    if not edits and any(after):
        record["after"] = after
    loss = weighted(result)
    if leaves and loss is not None and loss.requires_grad:
        gradients = torch.autograd.grad(loss, leaves, allow_unused=True)
        record["gradients"] = [None if g is None else tensor(g) for g in gradients]
    return record


def function(name):
    at = torch
    for part in name.split(".")[1:]:
        at = getattr(at, part)
    return at


def same(before, now):
    return before.shape == now.shape and torch.equal(before.nan_to_num(), now.nan_to_num())


def live(arg, leaves, inputs, edits):
    if isinstance(arg, T):
        leaf = arg.data.clone()
        inputs.append((arg.data, leaf))
        if arg.grad and (leaf.is_floating_point() or leaf.is_complex()):
            leaf.requires_grad_(True)
            leaves.append(leaf)
        return leaf.clone() if edits else leaf
    if isinstance(arg, (list, tuple)):
        return type(arg)(live(item, leaves, inputs, edits) for item in arg)
    return arg


def weights(count):
    return torch.tensor([((i * 7) % 11 - 5) / 4 + 0.125 for i in range(count)])


def weighted(result):
    total = None
    for out in flat(result):
        if out.is_complex():
            out = torch.view_as_real(out.resolve_conj())
        if not out.is_floating_point():
            continue
        wide = out.float() if out.dtype != torch.float64 else out
        part = (wide.reshape(-1) * weights(out.numel()).to(wide.dtype)).sum().double()
        total = part if total is None else total + part
    return total


def flat(result):
    if isinstance(result, torch.Tensor):
        return [result]
    if isinstance(result, (list, tuple)):
        return [out for item in result for out in flat(item)]
    return []


def encode(arg):
    if isinstance(arg, T):
        return tensor(arg.data) | ({"grad": True} if arg.grad and is_float(arg.data) else {})
    if isinstance(arg, bool) or arg is None or isinstance(arg, (int, str)):
        return arg
    if isinstance(arg, float):
        return {"float": number(arg)}
    if isinstance(arg, complex):
        return {"complex": [arg.real, arg.imag]}
    if isinstance(arg, torch.dtype):
        return {"dtype": str(arg).removeprefix("torch.")}
    if isinstance(arg, slice):
        return {"slice": [encode(arg.start), encode(arg.stop), encode(arg.step)]}
    if arg is Ellipsis:
        return {"ellipsis": True}
    return [encode(item) for item in arg]


def encode_result(result):
    if isinstance(result, torch.Tensor):
        return tensor(result)
    if isinstance(result, (list, tuple)):
        return [encode_result(item) for item in result]
    return encode(result)


def is_float(data):
    return data.is_floating_point() or data.is_complex()


def tensor(data):
    # PyTorch may keep zeros without memory.
    data = torch.zeros(data.shape, dtype=data.dtype) if data._is_zerotensor() else data.detach()
    parts = torch.view_as_real(data.resolve_conj()) if data.is_complex() else data
    numbers = [number(x) for x in parts.reshape(-1).tolist()]
    return {
        "tensor": str(data.dtype).removeprefix("torch."),
        "shape": list(data.shape),
        "data": numbers,
    }


def number(x):
    if isinstance(x, bool):
        return int(x)
    if isinstance(x, int):
        return x
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    return float(f"{x:.9g}")

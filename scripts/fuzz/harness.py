"""Runs programs line by line, the same way in PyTorch and in the stand-in.

A program is {"leaves": [leaf], "lines": [text], "order": [name]}, a leaf {"name", "dtype", "shape",
"data", "grad"}.
Each line that raises is noted and passed over; what the names of `order` hold is read in that order
at the end, and the gradient is that of the weighted sum of what they hold.
"""

import math

import numpy
import torch
from torch import nn

# What is differentiated once all programs have run.
_alive = []
_numbers = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


def dtype_of(name):
    return getattr(torch, name)


def numbers(data):
    return [_numbers[x] if isinstance(x, str) else x for x in data]


def leaf(given):
    """The tensor of a leaf; complex numbers are given as pairs."""
    dtype = dtype_of(given["dtype"])
    data = numbers(given["data"])
    if dtype.is_complex:
        data = [complex(*data[at : at + 2]) for at in range(0, len(data), 2)]
    return torch.tensor(data, dtype=dtype).reshape(given["shape"])


class Model(nn.Module):
    """All leaves that want a gradient, as parameters."""

    def __init__(self, programs):
        super().__init__()
        for number, program in enumerate(programs):
            for given in program["leaves"]:
                if given["grad"]:
                    name = f"p{number}_{given['name']}"
                    self.register_parameter(name, nn.Parameter(leaf(given)))


def step(model, programs, record):
    for number, program in enumerate(programs):
        torch.manual_seed(0)
        record.begin(number)
        run_program(model, number, program, record)
    return torch.zeros(())


def first_names():
    return {
        "torch": torch,
        "nn": nn,
        "F": nn.functional,
        "np": numpy,
        "math": math,
        "inf": float("inf"),
        "nan": float("nan"),
        "moved": moved,
    }


def run_program(model, number, program, record):
    names = first_names()
    leaves = []
    for given in program["leaves"]:
        name = given["name"]
        tensor = getattr(model, f"p{number}_{name}") if given["grad"] else leaf(given)
        names[name] = tensor
        if given["grad"]:
            leaves.append(tensor)
    for at, line in enumerate(program["lines"]):
        try:
            exec(compile(line, __file__, "exec"), names)
        except Exception as error:
            record.error(f"line {at}", type(error).__name__, str(error)[:300])
    # Modules that the program made have parameters of their own.
    for held in list(names.values()):
        if isinstance(held, nn.Module):
            leaves.extend(p for p in held.parameters() if p.requires_grad)
    _alive.append(leaves)
    results = []
    for name in program["order"]:
        for label, item in parts(name, names.get(name)):
            read(label, item, results, record)
    try:
        total = weighted(results)
    except Exception as error:
        record.error("loss", type(error).__name__, str(error)[:300])
        total = None
    if total is not None and leaves:
        record.backward(total, leaves)


def parts(label, held):
    if isinstance(held, dict):
        held = [one for item in held.items() for one in item]
    if isinstance(held, (tuple, list)) and not isinstance(held, torch.Size):
        for at, item in enumerate(held):
            yield from parts(f"{label}[{at}]", item)
    else:
        yield label, held


def read(label, item, results, record):
    if isinstance(item, torch.Tensor):
        try:
            record.tensor(label, item)
        except Exception as error:
            record.error(label, type(error).__name__, str(error)[:300])
            return
        results.append(item)
    elif isinstance(item, (bool, int, torch.Size, torch.dtype, str)):
        record.value(label, repr(item))
    elif isinstance(item, float):
        record.value(label, f"{item:.4g}")
    elif isinstance(item, complex):
        record.value(f"{label}.real", f"{item.real:.4g}")
        record.value(f"{label}.imag", f"{item.imag:.4g}")


def weighted(results):
    total = None
    for result in results:
        if not result.requires_grad:
            continue
        real = torch.view_as_real(result.resolve_conj()) if result.is_complex() else result
        wide = real.to(torch.float64).reshape(-1)
        part = (wide * weights(wide.numel())).sum()
        total = part if total is None else total + part
    return total


def weights(count):
    """Of one size and both signs, so that few of them cancel."""
    data = [((at * 7) % 11 - 5) / 4 + 0.125 for at in range(count)]
    return torch.tensor(data, dtype=torch.float64)


def moved(held, seed):
    """A tensor of floats or complex numbers with other last digits, those of its largest number; anything else as it is."""
    is_float = torch.is_tensor(held) and (held.is_floating_point() or held.is_complex())
    if not is_float or held.numel() == 0:
        return held
    places = torch.arange(held.numel(), dtype=torch.float64).reshape(held.shape)
    part = torch.finfo(held.dtype).eps * held.abs().max() * torch.cos(places * (seed + 2))
    return (held + part * (1 + 1j if held.is_complex() else 1)).to(held.dtype)

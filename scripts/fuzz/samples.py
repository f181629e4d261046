"""Calls with arguments that PyTorch's own tests give them (torch.testing's OpInfo samples)."""

from functools import cache
import random

import torch
from torch.testing._internal.common_methods_invocations import op_db

from leaves import leaf_of

# What is private, has results up to a sign, is random in memory, needs a compiler, or has arguments that are Python objects.
LEFT_OUT = """empty empty_like empty_permuted empty_strided new_empty new_empty_strided resize_
resize_as_ to_sparse sparse. masked. jiterator.
nn.functional.rrelu geqrf ormqr svd_lowrank pca_lowrank lu lu_unpack ldl nn.functional.ctc_loss
histogramdd tolist multinomial normal uniform cauchy exponential geometric log_normal bernoulli
nn.functional.dropout nn.functional.alpha_dropout nn.functional.feature_alpha_dropout
_ torch. linalg.eig linalg.eigh linalg.svd svd linalg.qr qr linalg.ldl __rdiv__
nn.functional.fractional_max_pool2d nn.functional.fractional_max_pool3d rand_like randn_like
randint_like nn.functional.gumbel_softmax""".split()
TYPES = "float32 float32 float32 float64 float16 bfloat16 int64 int32 uint8 bool complex64".split()
LARGEST = 120


def is_left_out(name):
    if name.startswith("__"):
        return name == "__rdiv__"
    return any(name.startswith(word) for word in LEFT_OUT)


def is_meant(name, only):
    """`only` is the last part of a call's name, or the namespace that it is in."""
    return name.split(".")[-1] == only or name.startswith(f"{only}.")


@cache
def operations(only):
    found = [op for op in op_db if not is_left_out(op.name)]
    found = [op for op in found if only is None or is_meant(op.name, only)]
    names = sorted({op.name for op in found})
    return [[op for op in found if op.name == name] for name in names]


@cache
def samples_of(name, variant, dtype):
    """The small ones, in the order that PyTorch makes them."""
    (op,) = [op for op in op_db if (op.name, op.variant_test_name) == (name, variant)]
    torch.manual_seed(0)
    random.seed(0)
    kept = []
    try:
        # A few calls have thousands.
        for at, sample in enumerate(op.sample_inputs("cpu", dtype, requires_grad=False)):
            if at > 120:
                break
            sizes = [t.numel() for t in tensors_in((sample.input, sample.args, sample.kwargs))]
            if sum(sizes) <= LARGEST:
                kept.append(sample)
    except Exception:
        return []
    return kept


def tensors_in(held):
    if isinstance(held, torch.Tensor):
        yield held
    elif isinstance(held, dict):
        yield from tensors_in(tuple(held.values()))
    elif isinstance(held, (tuple, list)):
        for item in held:
            yield from tensors_in(item)


def add_sample(program, only):
    chance = program.chance
    choices = operations(only)
    if not choices:
        raise SystemExit(f"PyTorch's samples have no operation {only}")
    op = chance.choice(chance.choice(choices))
    dtype = getattr(torch, program.dtype or chance.choice(TYPES))
    if dtype not in op.supported_dtypes("cpu"):
        dtype = torch.float32
    kept = samples_of(op.name, op.variant_test_name, dtype)
    if not kept:
        return
    sample = chance.choice(kept)
    grad = chance.random() < 0.7
    try:
        args = [text(program, item, grad) for item in (sample.input, *sample.args)]
        keywords = {key: text(program, item, grad) for key, item in sample.kwargs.items()}
    except Unwritable:
        return
    line, edits = call_text(chance, op.name, args, keywords)
    if line is None:
        return
    if edits:
        program.run(line, 0.4)
    else:
        program.add(line)


class Unwritable(Exception):
    """No text makes this argument."""


def call_text(chance, name, args, keywords):
    """The call as a function, as a method, or as an edit of a copy of its first argument."""
    last = name.split(".")[-1]
    written = [*args[1:], *(f"{key}={value}" for key, value in keywords.items())]
    function = attribute(torch, name)
    method = getattr(torch.Tensor, last, None) if "." not in name else None
    forms = []
    if callable(function):
        forms.append(f"torch.{name}({', '.join([args[0], *written])})")
    if method is not None and not args[0].startswith("["):
        forms.append(
            f"{args[0]}.{last}({', '.join(written)})" if callable(method) else f"{args[0]}.{last}"
        )
    has_edit = hasattr(torch.Tensor, last + "_") and not last.startswith("logical_")
    if method is not None and has_edit and chance.random() < 0.3:
        if args[0].isidentifier():
            return f"{args[0]}.{last}_({', '.join(written)})", True
    return (chance.choice(forms) if forms else None), False


def attribute(at, name):
    for part in name.split("."):
        at = getattr(at, part, None)
    return at


def text(program, value, grad):
    """An argument as Python text; its tensors become leaves, some of them seen through a view."""
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided or value.dtype not in KNOWN:
            raise Unwritable
        # Larger integers are no numbers of JavaScript, through which programs pass.
        if value.dtype == torch.int64 and bool(((value > 2**53) | (value < -(2**53))).any()):
            raise Unwritable
        return tensor_text(program, value, grad)
    if isinstance(value, int) and abs(value) > 2**53:
        raise Unwritable
    if isinstance(value, (bool, int, float, complex, str, type(None), type(Ellipsis))):
        return repr(value)
    if isinstance(value, (torch.dtype, torch.memory_format)):
        return str(value)
    if isinstance(value, slice):
        parts = [text(program, part, grad) for part in (value.start, value.stop, value.step)]
        return f"slice({', '.join(parts)})"
    if type(value) in (list, tuple, torch.Size):
        inner = ", ".join(text(program, item, grad) for item in value)
        return (
            f"[{inner}]"
            if type(value) is list
            else f"({inner},)"
            if len(value) == 1
            else f"({inner})"
        )
    raise Unwritable


KNOWN = {
    getattr(torch, name)
    for name in "float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 bool".split()
} | {torch.complex64, torch.complex128}


def tensor_text(program, value, grad):
    chance = program.chance
    value = value.detach()
    wants = grad and chance.random() < 0.85
    form = chance.choice(["plain"] * 5 + ["turned", "stepped", "alone"])
    if form == "turned" and value.dim() >= 2:
        name = program.add_leaf(leaf_of(value.transpose(0, -1).contiguous(), wants))
        made = f"{name}.transpose(0, -1)"
    elif form == "stepped" and value.dim() >= 1 and value.shape[-1]:
        name = program.add_leaf(leaf_of(value.repeat_interleave(2, -1), wants))
        made = f"{name}[..., ::2]"
    elif form == "alone" and value.dim() >= 1:
        name = program.add_leaf(leaf_of(value.unsqueeze(0), wants))
        made = f"{name}[0]"
    else:
        return program.add_leaf(leaf_of(value, wants))
    program.add(made)
    return f"r{program.made - 1}"

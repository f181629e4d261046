"""Programs written by hand: the cells of a Python file, each run by itself.

    # %% A title
    # leaf x float32 2,3          normal numbers that require a gradient
    # leaf p float32 4 positive   between 0.3 and 3.3
    # leaf q float32 4 share      between 0.05 and 0.95
    r1 = torch.softmax(x, -1)     what r1, r2, ... hold in the end is compared

PyTorch gives the numbers of the leaves, so that a program is the same wherever it runs.
"""

import ast
import re

import torch

_LEAF = re.compile(r"# leaf (\w+) (\w+) ?([\d,]*) ?(\w*)$", re.MULTILINE)
_RESULT = re.compile(r"r\d+")


def programs_of(text):
    """(title, program) of every cell."""
    for cell in re.split(r"^# %% ", text, flags=re.MULTILINE)[1:]:
        title, _, code = cell.partition("\n")
        yield title.strip(), {
            "leaves": [_leaf(*found) for found in _LEAF.findall(code)],
            "lines": [code.strip()],
            "order": _results(code),
        }


def _leaf(name, dtype, sizes, kind):
    shape = [int(size) for size in sizes.split(",") if size]
    generator = torch.Generator().manual_seed(sum(map(ord, name)) + len(shape))
    type_of = getattr(torch, dtype)
    if type_of.is_complex:
        # Parts beside each other.
        type_of, numbers = type_of.to_real(), torch.randn([*shape, 2], generator=generator)
    elif kind == "positive":
        numbers = torch.rand(shape, generator=generator) * 3 + 0.3
    elif kind == "share":
        numbers = torch.rand(shape, generator=generator) * 0.9 + 0.05
    else:
        numbers = torch.randn(shape, generator=generator)
    held = numbers.mul(1000).round().div(1000).to(type_of)
    data = [round(x, 6) for x in held.double().reshape(-1).tolist()]
    return {"name": name, "dtype": dtype, "shape": shape, "data": data, "grad": True}


def _results(code):
    targets = [
        node.id
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    found = {name for name in targets if _RESULT.fullmatch(name)}
    return sorted(found, key=lambda name: int(name[1:]))

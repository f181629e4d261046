"""Makes random programs; each line is run as soon as it is made, so that the next can use it."""

import re

import torch

import harness
import lines
from families import FAMILIES
import modules
import samples
from leaves import dtype_of, make_leaf, shape_of

MOST = 400


class Program:
    def __init__(self, chance, special, dtype):
        self.chance = chance
        self.special = special
        self.dtype = dtype
        self.leaves = []
        self.lines = []
        self.names = harness.first_names()
        self.made = 0
        self.modules = 0

    def add_leaf(self, given):
        """Leaves come first in a program, whenever they were thought of."""
        name = f"v{len(self.leaves)}"
        self.leaves.append({"name": name} | given)
        tensor = harness.leaf(given)
        self.names[name] = tensor.requires_grad_(True) if given["grad"] else tensor
        return name

    def tensors(self):
        return [name for name, held in self.names.items() if isinstance(held, torch.Tensor)]

    def add(self, text, keeps_errors=0.4):
        """A line that makes something; it is left out where what it makes is too large."""
        name = f"r{self.made}"
        self.made += 1
        if self.run(f"{name} = {text}", keeps_errors) and self.unfit(self.names[name]):
            self.lines.pop()
            del self.names[name]
            return
        held = self.names.get(name)
        if isinstance(held, (tuple, list)) and not isinstance(held, torch.Size) and held:
            at = self.chance.randrange(len(held))
            if isinstance(held[at], torch.Tensor):
                self.run(f"{name}_ = {name}[{at}]", 1)

    def unfit(self, held):
        if isinstance(held, torch.Tensor):
            return (
                held.numel() > MOST
                or str(held.layout) != "torch.strided"
                or held.dtype not in KNOWN
            )
        if isinstance(held, (tuple, list)):
            return any(self.unfit(item) for item in held)
        return False

    def run(self, line, keeps_errors):
        try:
            exec(compile(line, "line", "exec"), self.names)
        except Exception:
            if self.chance.random() < keeps_errors:
                self.lines.append(line)
            return False
        self.lines.append(line)
        return True

    def operand(self, shape, dtype=None):
        fits = [
            name
            for name in self.tensors()
            if list(self.names[name].shape) == list(shape)
            and (dtype is None or self.names[name].dtype == getattr(torch, dtype))
        ]
        if fits and self.chance.random() < 0.4:
            return self.chance.choice(fits)
        if len(self.leaves) > 6 and fits:
            return self.chance.choice(fits)
        return self.add_leaf(lines.fresh(self.chance, shape, self.special, dtype or self.dtype))

    def finished(self):
        used = set(re.findall(r"\b[vr]\d+_?\b", "\n".join(self.lines)))
        leaves = [given for given in self.leaves if given["name"] in used]
        order = [name for name in self.names if name in used]
        self.chance.shuffle(order)
        return {"leaves": leaves, "lines": self.lines, "order": order}


KNOWN = {
    getattr(torch, name)
    for name in "float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 bool".split()
} | {torch.complex64, torch.complex128}


def make_edited(chance, only, special, dtype=None):
    """One call, and an edit of what it took or gave: the backward pass may need it unedited."""
    torch.manual_seed(chance.randrange(2**31))
    program = Program(chance, special, dtype)
    samples.add_sample(program, only)
    names = [name for name in program.tensors() if program.names[name].numel()]
    if names and program.lines:
        name = chance.choice(names)
        edit = chance.choice(["add_(0)", f"copy_({name}.clone())", "zero_()", "unsqueeze_(0)", ""])
        program.run(f"with torch.no_grad(): {name}.{edit}" if edit else f"{name}.detach_()", 0.3)
    return program.finished()


def make_program(chance, only, special, dtype=None):
    if only not in FAMILIES and chance.random() < 0.05:
        return make_edited(chance, only, special, dtype)
    torch.manual_seed(chance.randrange(2**31))
    program = Program(chance, special, dtype)
    start = chance.random()
    if only in FAMILIES:
        FAMILIES[only](program)
    elif only or start < 0.4:
        samples.add_sample(program, only)
    elif start < 0.6:
        modules.add_module(program)
    else:
        kind = dtype or dtype_of(chance)
        program.add_leaf(make_leaf(chance, kind, shape_of(chance), special))
    for _ in range(chance.randint(1, 9)):
        # What a name held may have changed its kind: only tensors are worked on.
        tensors = program.tensors()
        if not tensors:
            break
        name = chance.choice(tensors)
        tensor = program.names[name]
        if tensor.dim() > 5:
            continue
        kind = chance.choice(KINDS)
        if only in FAMILIES and chance.random() < 0.5:
            FAMILIES[only](program)
            continue
        if kind == "view":
            program.add(lines.view(chance, tensor, name))
        elif kind == "edit":
            torch.manual_seed(0)
            program.run(lines.edit(chance, tensor, name, program.operand), 0.3)
        elif kind == "plain":
            program.add(lines.plain(chance, tensor, name, program.operand))
        elif kind == "module" and not only:
            modules.add_module(program)
        else:
            samples.add_sample(program, None if only in FAMILIES else only)
    return program.finished()


KINDS = ["view", "view", "edit", "edit", "plain", "plain", "sample", "module"]

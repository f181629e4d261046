"""Branches of initialisations that were never taken while the model was made.

A comparison that no name meets changes nothing and says nothing: `name == "c_proj.weight"` where
names are dotted, `hasattr(module, "SCALE")` where modules have SCALED. Only conditions on a name and
a text, and on a module's attribute, are looked at, and only files that have some are watched.
"""

import ast
import linecache
import math
import sys

from normscope_boot.places import is_user_file

from . import _applied, _plain, _stray_flags, _tied, _training_loops
from ._syntax import statements_in, tree_of
from .nn.modules.module import Module

_TOOL = 4
_loops = {"named_parameters", "named_modules", "named_children", "named_buffers", "items"}


class Branch:
    """`flag`: the attribute that is asked for, where it is no comparison of names."""

    def __init__(self, file, node, name, flag=None):
        self.file = file
        self.name = name
        self.flag = flag
        self.is_of_module = False
        self.line = node.test.lineno
        self.body = node.body[0].lineno
        self.test = ast.unparse(node.test)
        self.texts = [it.value for it in ast.walk(node.test) if _is_text(it)]
        self.spread = _spread(node.body)
        self.value = None
        self.is_met = False
        self.is_taken = False


class Watch:
    """From the moment that the files are loaded until the model is made."""

    def __init__(self):
        self.files = files = _user_files()
        self.branches = [it for file in files for it in _branches(file)]
        self.loops = _training_loops.faults(files)
        self.by_line = {}
        self.applied = []
        self.tied = None
        self.plain, self.stray = [], []
        for branch in self.branches:
            self.by_line.setdefault((branch.file, branch.line), []).append(branch)
            self.by_line.setdefault((branch.file, branch.body), []).append(branch)

    def __enter__(self):
        _applied.listen()
        _tied.listen()
        _plain.listen()
        _stray_flags.listen()
        if self.branches:
            events = sys.monitoring.events
            sys.monitoring.use_tool_id(_TOOL, "normscope")
            sys.monitoring.register_callback(_TOOL, events.LINE, self._reached)
            sys.monitoring.set_events(_TOOL, events.LINE)
        return self

    def __exit__(self, *_):
        self.applied = _applied.stop()
        self.tied = _tied.stop()
        self.plain = _plain.stop()
        self.stray = _stray_flags.stop()
        if self.branches:
            sys.monitoring.set_events(_TOOL, 0)
            sys.monitoring.free_tool_id(_TOOL)

    def _reached(self, code, line):
        for branch in self.by_line.get((code.co_filename, line), ()):
            if line == branch.line and not branch.is_met:
                branch.is_met = True
                frame = sys._getframe(1)
                branch.is_of_module = isinstance(frame.f_locals.get(branch.name), Module)
                branch.value = _evaluate(branch.spread, frame)
            if line == branch.body:
                branch.is_taken = True
        return sys.monitoring.DISABLE

    def missed(self, model):
        """What python/torch's host reads as misses: of names, of flags, of `apply`, of ties, and plain tensors."""
        lost = [it for it in self.branches if it.is_met and not it.is_taken and it.body != it.line]
        return {
            "names": [
                [it.file, it.line, it.test, it.texts, *meant, it.value]
                for it in lost
                if it.flag is None and (meant := _meant_names(model, it.texts))
            ],
            "flags": [
                [it.file, it.line, it.test, it.flag, *held]
                for it in lost
                if it.flag is not None and it.is_of_module and (held := _held_flag(model, it.flag))
            ],
            "late": _applied.late(self.applied, model),
            "ties": _tied.undone(self.tied, model),
            "plain": _plain.kept(self.plain, model),
            "padding": _padding_rows(model),
            "stray": [
                *_stray_flags.misspelled(self.files),
                *_stray_flags.of_modules(self.stray, model),
            ],
        }


def _padding_rows(model):
    """[name, row] of the tables of nn.Embedding whose row of padding gets no gradient."""
    return [
        [".".join(filter(None, (path, "weight"))), module.padding_idx]
        for path, module in model.named_modules()
        if type(module).__name__ == "Embedding" and getattr(module, "padding_idx", None) is not None
    ]


def _held_flag(model, flag):
    """(attribute, paths of the modules that have it): that flag or one that differs by a letter or two."""
    holders = {}
    for path, module in model.named_modules():
        for name, value in vars(module).items():
            if (value is True or type(value) in (int, float) and value) and _is_near(flag, name):
                holders.setdefault(name, []).append(path)
    if not holders:
        return None
    name = flag if flag in holders else min(holders)
    return name, holders[name]


def _meant_names(model, texts):
    """(text, parameters whose names have it): one of the texts, or what differs from one by a letter or two."""
    names = [name for name, _ in model.named_parameters()]
    for text in texts:
        if any(text in name for name in names):
            return text, [name for name in names if any(it in name for it in texts)]
    pieces = list(dict.fromkeys(piece for name in names for piece in _pieces(name)))
    for text in texts:
        # Shorter ones ("bias", "wte") are near to too much.
        near = (piece for piece in pieces if len(text) >= 5 and _is_near(text, piece))
        if (piece := next(near, None)) is not None:
            return piece, [name for name in names if piece in name]
    return None


def _pieces(name):
    """ "c_proj", "c_proj.weight", "attn.c_proj.weight" of "h.0.attn.c_proj.weight"."""
    parts = name.split(".")
    for at, part in enumerate(parts):
        yield part
        yield ".".join(parts[at:])


def _is_near(a, b):
    """Whether letters are left out or added, two at most, or stand in another order."""
    a, b = a.lower(), b.lower()
    short, long = sorted((a, b), key=len)
    if a == b or len(short) < 5:
        return a == b
    if len(short) == len(long):
        return sorted(a) == sorted(b)
    letters = iter(long)
    return len(long) - len(short) <= 2 and all(letter in letters for letter in short)


def _user_files():
    files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    return sorted(file for file in files if file and is_user_file(file))


def _branches(file):
    text = "".join(linecache.getlines(file))
    if not any(f"{name}(" in text for name in (*_loops, "hasattr", "getattr")):
        return
    statements = list(statements_in(tree_of(file)))
    for node in statements:
        flag = _flag_of(node.test) if isinstance(node, ast.If) else None
        if flag is not None:
            yield Branch(file, node, *flag)
    for loop in statements:
        name = _name_of_loop(loop)
        if name is None:
            continue
        for node in statements_in(loop):
            if isinstance(node, ast.If) and _compares(node.test, name):
                yield Branch(file, node, name)


def _flag_of(test):
    """(module, "FLAG") of `hasattr(module, "FLAG")` or `getattr(module, "FLAG", False)`."""
    for node in ast.walk(test):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id not in ("hasattr", "getattr") or len(node.args) < 2:
            continue
        owner, text = node.args[:2]
        if isinstance(owner, ast.Name) and _is_text(text):
            return owner.id, text.value
    return None


def _name_of_loop(node):
    """`name` of `for name, p in model.named_parameters():`"""
    if not isinstance(node, ast.For) or not isinstance(node.target, ast.Tuple):
        return None
    first, call = node.target.elts[0], node.iter
    if not isinstance(first, ast.Name) or not isinstance(call, ast.Call):
        return None
    function = call.func
    return first.id if isinstance(function, ast.Attribute) and function.attr in _loops else None


def _compares(test, name):
    parts = list(ast.walk(test))
    uses = any(isinstance(it, ast.Name) and it.id == name for it in parts)
    return uses and any(_is_text(it) for it in parts)


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _spread(body):
    """The expression of the standard deviation that normal_ or trunc_normal_ is given."""
    for statement in body:
        for node in ast.walk(statement):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr not in ("normal_", "trunc_normal_"):
                continue
            named = [it.value for it in node.keywords if it.arg == "std"]
            of_init = isinstance(node.func.value, (ast.Name, ast.Attribute)) and ast.unparse(
                node.func.value
            ).endswith("init")
            at = 2 if of_init else 1
            return named[0] if named else node.args[at] if len(node.args) > at else None
    return None


def _evaluate(node, frame):
    """A number, from numbers of the frame, by arithmetic alone; None: more is needed."""
    if node is None:
        return None
    try:
        number = _number(node, frame)
    except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError):
        return None
    return number if isinstance(number, float) and math.isfinite(number) else None


_operators = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: a**b,
}


def _number(node, frame):
    if isinstance(node, ast.Constant):
        return float(node.value)
    if isinstance(node, ast.BinOp):
        left, right = _number(node.left, frame), _number(node.right, frame)
        return _operators[type(node.op)](left, right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_number(node.operand, frame)
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("math.sqrt", "sqrt", "np.sqrt"):
        return math.sqrt(_number(node.args[0], frame))
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _known(_held(node, frame))
    raise ValueError


def _held(node, frame):
    if isinstance(node, ast.Name):
        return frame.f_locals[node.id] if node.id in frame.f_locals else frame.f_globals[node.id]
    # Plain attributes only: a property could do anything.
    return vars(_held(node.value, frame))[node.attr]


def _known(value):
    if isinstance(value, (int, float)):
        return float(value)
    raise ValueError

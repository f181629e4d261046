"""Modules that end a step: BERT's `norm(stream + dense(branch))`, in a class of its own."""

import ast

from .norms import Norms
from .source import NotUnderstood, body_of, method


class Closing:
    """`at`: which argument is the stream. `total`: the sum; `outer`: the norm's call on it, or None; `norm`: its path."""

    def __init__(self, cls, at, total, outer, norm):
        self.cls = cls
        self.at = at
        self.total = total
        self.outer = outer
        self.norm = norm


def closings(source, norms):
    """By the path of the module, as far as the class of `norms` calls such."""
    found = {
        path: closing_of(part.cls, Norms(source, part.cls)) for path, part in norms.parts.items()
    }
    return {path: closing for path, closing in found.items() if closing is not None}


def closing_of(cls, norms):
    """None where the class is none."""
    forward = method(cls, "forward")
    names = [] if forward is None else [argument.arg for argument in forward.args.args][1:]
    if len(names) != 2:
        return None
    sums = [
        node
        for node in ast.walk(forward)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
    ]
    if len(sums) != 1:
        return None
    total = sums[0]
    sides = {side.id: side for side in (total.left, total.right) if isinstance(side, ast.Name)}
    for at, name in enumerate(names):
        uses = [
            node for node in ast.walk(forward) if isinstance(node, ast.Name) and node.id == name
        ]
        if uses == [sides.get(name)]:
            return _closing(cls, at, total, norms)
    return None


def _closing(cls, at, total, norms):
    outer = total.parent if norms.of_call(total.parent) is not None else None
    last = total if outer is None else outer
    if not _is_returned(last):
        return None
    if outer is not None:
        return Closing(cls, at, total, outer, norms.of_call(outer).removeprefix("self."))
    called = {ast.unparse(node.func) for node in ast.walk(cls) if isinstance(node, ast.Call)}
    unused = [path for path in norms.found if path not in called]
    return (
        Closing(cls, at, total, None, unused[0].removeprefix("self.")) if len(unused) == 1 else None
    )


def _is_returned(value):
    statement = value.parent
    if isinstance(statement, ast.Return):
        return True
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return False
    body = body_of(statement)
    after = next(iter(body[body.index(statement) + 1 :]), None)
    return (
        isinstance(after, ast.Return)
        and isinstance(after.value, ast.Name)
        and after.value.id == statement.targets[0].id
    )


def refuse_other_uses(source, classes, made):
    """`made` are the calls that make modules of the classes for the steps that are converted."""
    for cls in classes:
        for node in ast.walk(source.tree):
            is_name = isinstance(node, ast.Name) and node.id == cls.name
            if is_name and not (
                isinstance(node.parent, ast.Call)
                and node.parent.func is node
                and node.parent in made
            ):
                raise NotUnderstood(
                    f"'{cls.name}' has the norm of a step, and is used here otherwise", node.lineno
                )

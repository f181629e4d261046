"""Moves the norms of a model's blocks in its own source: see `rewrite`."""

import ast

from . import final_norm, placement, ready
from .closings import closings, refuse_other_uses
from .norms import Norms
from .rms import to_rms
from .source import NotUnderstood, Source, classes, function_of, last_name, methods
from .steps import steps_of

KINDS = ("post", "pre", "peri", "rms")
_NAMES = {"post": "Post-LN", "pre": "Pre-LN", "peri": "peri-norm", "branch": "Res-Post-LN"}


def rewrite(text, wanted, to):
    """The file's text with the blocks of the class `wanted`, or of all classes, converted.

    A dict: "text", "from" (the placement that was found) and "blocks" (names of classes); or
    "refused" and "line", and nothing is edited.
    """
    try:
        source = Source(text)
    except SyntaxError as error:
        return {"refused": f"the file is no Python: {error.msg}", "line": error.lineno or 1}
    try:
        if to == "rms":
            return _rms(source, wanted)
        if wanted is not None and wanted not in classes(source.tree):
            raise NotUnderstood(f"there is no class '{wanted}'", 1)
        if not _has_steps(source) and ready.makers(source):
            return ready.convert(source, to)
        found = _found(source, wanted)
        start = found[0][2].placement
        edited = _converted(text, wanted, start, to)
        _check(edited, wanted, to)
        return {"text": edited, "from": start, "blocks": sorted({cls.name for cls, _, _ in found})}
    except NotUnderstood as error:
        return {"refused": str(error), "line": error.line}


def blocks(text):
    """The classes with residual steps that have norms, and what they are: name, line, placement."""
    try:
        source = Source(text)
    except SyntaxError:
        return []
    rows = []
    for cls in classes(source.tree).values():
        try:
            kinds = {step.placement for _, _, step in _steps(source, cls)}
        except NotUnderstood:
            continue
        if len(kinds) == 1:
            rows.append({"name": cls.name, "line": cls.lineno, "placement": kinds.pop()})
    return rows


def _steps(source, cls):
    norms = Norms(source, cls, depth=2)
    norms.closings = closings(source, norms)
    return [(cls, norms, step) for function in methods(cls) for step in steps_of(function, norms)]


def _has_steps(source):
    return any(_steps(source, cls) for cls in classes(source.tree).values())


def _found(source, wanted):
    """Class, norms and step of every step; all of one placement."""
    own = classes(source.tree)
    if wanted is not None and wanted not in own:
        raise NotUnderstood(f"there is no class '{wanted}'", 1)
    chosen = (
        [own[wanted]] if wanted is not None and _steps(source, own[wanted]) else list(own.values())
    )
    found = [row for cls in chosen for row in _steps(source, cls)]
    if not found:
        reason = "no line adds a branch to the stream beside a norm of the same class"
        raise NotUnderstood(reason, 1 if wanted is None else own[wanted].lineno)
    first = found[0][2]
    for cls, _, step in found:
        if step.placement != first.placement:
            kinds = f"{_NAMES[step.placement]}, and that of line {first.line} is {_NAMES[first.placement]}"
            raise NotUnderstood(f"this step is {kinds}{_chosen_by(cls, step, first)}", step.line)
    return found


def _chosen_by(cls, *steps):
    """ ", 'self.pre' of line 12 chooses" where a condition of the class decides which of the steps is taken."""
    for condition in [node for node in ast.walk(cls) if isinstance(node, (ast.If, ast.IfExp))]:
        inner = list(ast.walk(condition))
        calls = {last_name(node.func) for node in inner if isinstance(node, ast.Call)}
        if any(
            step.statement in inner or function_of(step.statement).name in calls for step in steps
        ):
            return f": '{ast.unparse(condition.test)}' of line {condition.lineno} chooses, so set that instead"
    return ""


def _converted(text, wanted, start, to):
    if start == to:
        raise NotUnderstood(
            f"the blocks are {_NAMES[to]} already", _found(Source(text), wanted)[0][2].line
        )
    if start == "pre":
        return _from_pre(text, wanted, to)
    before = _to_pre(text, wanted, start, to)
    return before if to == "pre" else _from_pre(before, wanted, to)


def _to_pre(text, wanted, start, to):
    source = Source(text)
    found = _found(source, wanted)
    for closing in _closings(source, found):
        source.unwrap(closing.outer)
    for _, norms, step in found:
        if start == "peri":
            placement.without_branch_norm(source, step, norms)
        elif start == "branch":
            placement.from_branch(source, step)
        else:
            placement.to_pre(source, step)
    if start == "post":
        made = {cls: norms.found.get(step.norm) for cls, norms, step in reversed(found)}
        final_norm.add(source, {cls.name for cls in made}, made, _loops(found))
    return source.edited()


def _from_pre(text, wanted, to):
    source = Source(text)
    found = _found(source, wanted)
    for opening in _openings(source, found):
        opening.take_out(source)
    for closing in _closings(source, found) if to == "post" else []:
        source.wrap(closing.total, f"self.{closing.norm}")
    for _, norms, step in found:
        if to == "post":
            placement.to_post(source, step)
        else:
            placement.with_branch_norm(source, step, norms)
    if to == "post":
        final_norm.remove(source, {cls.name for cls, _, _ in found}, _loops(found))
    return source.edited()


def _closings(source, found):
    """What modules of their own do with the sum of a step, each once."""
    return _once(source, [(norms, norms.closings, step.closing) for _, norms, step in found])


def _openings(source, found):
    """What the modules of the steps begin with, each once."""
    return _once(source, [(norms, norms.openings, step.opening) for _, norms, step in found])


def _once(source, rows):
    """For (norms, known, name), what is known of each class; refused where one of them is used otherwise too."""
    named = [row for row in rows if row[2] is not None]
    chosen = {}
    for _, known, name in named:
        chosen.setdefault(known[name].cls, known[name])
    refuse_other_uses(source, chosen, {norms.parts[name].made for norms, _, name in named})
    return list(chosen.values())


def _loops(found):
    """Where a class runs its steps in a loop of its own."""
    stacks = {}
    for cls, _, step in found:
        loop = step.statement
        while not isinstance(loop, (ast.For, ast.FunctionDef)):
            loop = loop.parent
        targets = getattr(step.statement, "targets", None) or [
            getattr(step.statement, "target", None)
        ]
        if isinstance(loop, ast.For) and isinstance(targets[0], ast.Name):
            stacks[loop] = final_norm.Stack(cls, function_of(loop), loop, targets[0].id)
    return list(stacks.values())


def _check(edited, wanted, to):
    """What was written reads as what was wanted."""
    kinds = {step.placement for _, _, step in _found(Source(edited), wanted)}
    if kinds != {to}:
        raise NotUnderstood("the edit would not give what was asked for", 1)


def _rms(source, wanted):
    found = _found(source, wanted)
    names = {cls.name for cls, _, _ in found}
    used = [norms.found[step.norm] for _, norms, step in found if step.norm in norms.found]
    used += [
        norms.found[norms.of_call(step.branch_norm)]
        for _, norms, step in found
        if step.branch_norm is not None
    ]
    used += final_norm.used(source, names)
    if not to_rms(source, list(dict.fromkeys(used))):
        raise NotUnderstood("its norms are RMSNorm already", found[0][2].line)
    return {"text": source.edited(), "from": found[0][2].placement, "blocks": sorted(names)}

"""Moves the norm of a step."""

import ast
import re

from .source import NotUnderstood


def to_post(source, step):
    """stream + branch(norm(stream)) becomes norm(stream + branch(stream)); what a module begins with is taken out elsewhere."""
    for call in step.inner:
        statement = call.parent
        is_whole = isinstance(statement, ast.Assign) and statement.value is call
        target = statement.targets[0] if is_whole else None
        if isinstance(target, ast.Name) and target.id == call.args[0].id:
            source.delete_statement(statement)
        else:
            source.unwrap(call)
    if step.closing is None:
        _wrap_sum(source, step)


def _wrap_sum(source, step):
    if not isinstance(step.statement, ast.AugAssign):
        source.wrap(step.total, step.norm)
        return
    target, value = step.statement.target, step.statement.value
    source.replace(source.end(target), source.start(value), f" = {step.norm}({target.id} + ")
    source.insert(source.end(value), ")")


def to_pre(source, step):
    """norm(stream + branch(stream)) becomes stream + branch(norm(stream))."""
    if step.outer is not None:
        source.unwrap(step.outer)
    elif step.after is not None:
        source.delete_statement(step.after)
    _norm_uses(source, step)


def from_branch(source, step):
    """stream + norm(branch(stream)) becomes stream + branch(norm(stream))."""
    source.unwrap(step.branch_norm)
    _norm_uses(source, step)


def _norm_uses(source, step):
    # As the file writes the path.
    written = "" if step.closing is None else source.of(step.total.func)
    norm = written + step.norm.removeprefix(step.closing or "")
    if len(step.uses) == 1:
        source.wrap(step.uses[0], norm)
        return
    name = _unused(source, "normed")
    first = min(step.uses, key=source.start)
    _refuse_lambda(first, step)
    statement = first
    while not isinstance(statement, ast.stmt):
        statement = statement.parent
    source.insert_before(statement, f"{name} = {norm}({first.id})")
    for use in step.uses:
        source.replace(source.start(use), source.end(use), name)


def _refuse_lambda(node, step):
    while not isinstance(node, ast.stmt):
        if isinstance(node, ast.Lambda):
            raise NotUnderstood("the stream is read within a lambda", step.line)
        node = node.parent


def _unused(source, name):
    taken = {node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name)}
    while name in taken:
        name += "_"
    return name


def without_branch_norm(source, step, norms):
    """peri becomes pre; the norm's definition goes where nothing else names it."""
    path = norms.of_call(step.branch_norm)
    source.unwrap(step.branch_norm)
    norm = norms.found.get(path)
    if norm is not None and len(re.findall(rf"{re.escape(path)}\b", source.text)) == 2:
        source.delete_statement(norm.statement)


def with_branch_norm(source, step, norms):
    """pre becomes peri: stream + norm_post(branch(norm(stream)))."""
    if step.closing is not None:
        raise NotUnderstood("the branch is added by a module of its own", step.line)
    if len(step.branches) > 1:
        raise NotUnderstood(
            "several branches are added at once, and each would need its norm", step.line
        )
    norm = norms.found.get(step.norm)
    if norm is None or isinstance(norm.made, ast.Name):
        raise NotUnderstood(f"a second norm like '{step.norm}' cannot be made here", step.line)
    if norm.path != step.norm or "." in norm.path.removeprefix("self."):
        raise NotUnderstood(f"a second norm like '{step.norm}' cannot be made here", step.line)
    path = f"{step.norm}_post"
    if path in norms.found:
        raise NotUnderstood(f"'{path}' is there already", norms.found[path].statement.lineno)
    source.insert_after(norm.statement, f"{path} = {source.of(norm.made)}")
    source.wrap(step.branches[0], path)

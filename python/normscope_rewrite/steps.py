"""The residual steps of a method: what is added to the stream, and where its norm stands."""

import ast

from .source import NotUnderstood

# What is asked of a tensor without reading its numbers.
_DESCRIPTIONS = {
    "shape",
    "size",
    "dtype",
    "device",
    "dim",
    "ndim",
    "type_as",
    "is_cuda",
    "requires_grad",
}


class Step:
    """One `stream + branch`.

    `placement`: pre, post, peri or branch (a norm on the branch alone). `uses`: where the branch reads the stream, as names; `inner`: the
    calls of the norm on these. `outer`: the call of the norm on the sum; `after`: the statement
    that is this call; `branch_norm`: the call of a norm on the branch.
    """

    def __init__(self, statement, total, branches, norm):
        self.statement = statement
        self.total = total
        self.branches = branches
        self.norm = norm
        self.placement = None
        self.uses = []
        self.inner = []
        self.outer = None
        self.after = None
        self.branch_norm = None
        # The path of the module whose own norm is the first of the branch; None: the norm is called here.
        self.opening = None
        # Its path and what it does, where a module of its own adds the branch; None: the sum is here.
        self.closing = None

    @property
    def line(self):
        return self.total.lineno


def steps_of(function, norms):
    """All steps of a method, also those in the branches of its `if`s."""
    found = []
    for body in _bodies(function):
        for at in range(len(body)):
            step = _step(body, at, norms, function)
            if step is not None:
                found.append(step)
    return found


def _bodies(node):
    for field in ("body", "orelse"):
        body = getattr(node, field, None)
        if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
            yield body
            for statement in body:
                if not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                    yield from _bodies(statement)


def _step(body, at, norms, function):
    statement = body[at]
    value = getattr(statement, "value", None)
    if isinstance(statement, ast.AugAssign):
        if not isinstance(statement.op, ast.Add) or not isinstance(statement.target, ast.Name):
            return None
        for stream, branch in ((statement.target, value), (value, statement.target)):
            step = _with_stream(body, at, norms, function, None, statement, stream, [branch])
            if step is not None:
                return step
        return None
    is_plain = isinstance(statement, ast.Assign) and len(statement.targets) == 1
    if not (is_plain and isinstance(statement.targets[0], ast.Name)) and not isinstance(
        statement, ast.Return
    ):
        return None
    if isinstance(statement, ast.Return) and isinstance(value, ast.Tuple) and value.elts:
        # The stream, and what else there is to tell: attention weights, a cache.
        value = value.elts[0]
    if isinstance(value, ast.Call) and ast.unparse(value.func) in norms.closings:
        return _closed(body, at, norms, function, value)
    outer = value if norms.of_call(value) is not None else None
    total = outer.args[0] if outer is not None else value
    if not _is_sum(total):
        return None
    terms = list(_terms(total))
    for stream in terms:
        branches = [term for term in terms if term is not stream]
        step = _with_stream(body, at, norms, function, outer, total, stream, branches)
        if step is not None:
            return step
    return None


def _closed(body, at, norms, function, call):
    """x = self.output(self.attention(x), x), where `output` adds, and norms what it has added."""
    closing = norms.closings[ast.unparse(call.func)]
    if len(call.args) != 2 or call.keywords:
        return None
    stream, branch = call.args[closing.at], call.args[1 - closing.at]
    return _with_stream(body, at, norms, function, None, call, stream, [branch])


def _is_sum(node):
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)


def _terms(total):
    """Of x + attn(norm(x)) + mlp(norm(x)) all three, in the order of the text."""
    for side in (total.left, total.right):
        if _is_sum(side):
            yield from _terms(side)
        else:
            yield side


def _with_stream(body, at, norms, function, outer, total, stream, branches):
    if not isinstance(stream, ast.Name):
        return None
    begun = _last_assignment(body, at, stream.id)
    live = {stream.id}
    alias = body[begun].value if begun >= 0 and isinstance(body[begun], ast.Assign) else None
    if isinstance(alias, ast.Name):
        live.add(alias.id)
    uses = []
    for statement in body[begun + 1 : at]:
        uses.extend(_reads(statement, live))
        live -= _assigned(statement)
    if any(isinstance(branch, ast.Name) and branch.id in live for branch in branches):
        return None
    for branch in branches:
        uses.extend(_reads(branch, live))
    names = live | {use.id for use in uses}
    if not uses or not all(_reaches(body[begun + 1 : at], branch, names) for branch in branches):
        return None
    return _classified(body, at, norms, function, outer, total, branches, uses)


def _last_assignment(body, at, name):
    for i in range(at - 1, -1, -1):
        if name in _assigned(body[i]):
            return i
    return -1


def _assigned(statement):
    return {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _reaches(statements, branch, names):
    """Whether what the branch adds depends on one of the names."""
    wanted = {node.id for node in ast.walk(branch) if isinstance(node, ast.Name)}
    for statement in reversed(statements):
        if _assigned(statement) & wanted:
            wanted |= {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return bool(wanted & names)


def _reads(node, names):
    """Where the numbers of one of the names are read."""
    if isinstance(node, ast.Lambda):
        own = {argument.arg for argument in node.args.args}
        yield from _reads(node.body, names - own)
        return
    if (
        isinstance(node, ast.Attribute)
        and node.attr in _DESCRIPTIONS
        and isinstance(node.value, ast.Name)
    ):
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _reads(child, names)


def _classified(body, at, norms, function, outer, total, branches, uses):
    inner = [use.parent for use in uses if norms.of_call(use.parent) is not None]
    after = _norm_after(body, at, norms) if outer is None else None
    paths = {norms.of_call(call) for call in inner}
    step = Step(body[at], total, branches, None)
    if isinstance(total, ast.Call):
        return _with_closing(step, norms, uses, inner, paths)
    step.uses, step.inner, step.outer, step.after = uses, inner, outer, after
    closed = [it for it in branches if norms.of_call(it) is not None and it not in inner]
    if closed and len(branches) > 1:
        raise NotUnderstood(
            "several branches are added at once, and one has a norm of its own", step.line
        )
    step.branch_norm = next(iter(closed), None)
    if len(paths) > 1:
        raise NotUnderstood("the branch reads the stream through several norms", step.line)
    if inner and len(inner) < len(uses):
        raise NotUnderstood("the branch reads the stream with its norm and without", step.line)
    outer_call = outer if outer is not None else after and after.value
    openings = {norms.opening_of_use(use) for use in uses}
    begins = next(iter(openings)) if len(openings) == 1 and not inner else None
    if (inner or begins) and outer_call is not None:
        raise NotUnderstood("there is a norm before the branch and one after the sum", step.line)
    if inner:
        step.placement = "pre" if step.branch_norm is None else "peri"
        step.norm = next(iter(paths))
        return step
    if begins is not None and step.branch_norm is None:
        step.placement, step.opening = "pre", begins
        step.norm = f"{begins}.{norms.openings[begins].norm}"
        return step
    if outer_call is None:
        if step.branch_norm is None:
            return None
        step.placement, step.norm = "branch", norms.of_call(step.branch_norm)
        return step
    if step.branch_norm is not None:
        raise NotUnderstood("there is a norm after the branch and one after the sum", step.line)
    step.placement = "post"
    step.norm = norms.of_call(outer_call)
    _refuse_own_keys(function, step)
    return step


def _with_closing(step, norms, uses, inner, paths):
    path = ast.unparse(step.total.func)
    closing = norms.closings[path]
    step.closing, step.norm, step.uses, step.inner = path, f"{path}.{closing.norm}", uses, inner
    is_pre = len(inner) == len(uses) and paths == {step.norm}
    if closing.outer is None and not inner:
        return None
    if is_pre == (closing.outer is not None) or (inner and not is_pre):
        raise NotUnderstood(
            f"the norms before this step and those of '{closing.cls.name}' are not one placement",
            step.line,
        )
    step.placement = "pre" if is_pre else "post"
    return step


def _norm_after(body, at, norms):
    """`x = norm(x)` as the next statement, x being the sum."""
    if at + 1 >= len(body):
        return None
    target = (
        body[at].target
        if isinstance(body[at], ast.AugAssign)
        else getattr(body[at], "targets", [None])[0]
    )
    after = body[at + 1]
    is_norm = isinstance(after, ast.Assign) and norms.of_call(after.value) is not None
    if not is_norm or not isinstance(target, ast.Name):
        return None
    argument, assigned = after.value.args[0], after.targets[0]
    same = isinstance(argument, ast.Name) and isinstance(assigned, ast.Name)
    return after if same and argument.id == target.id == assigned.id else None


def _refuse_own_keys(function, step):
    """Attention whose keys and values are arguments of their own: a norm before it is not one of the stream."""
    names = {argument.arg.lower() for argument in function.args.args}
    if names & {"k", "key", "keys"} and names & {"v", "value", "values"}:
        raise NotUnderstood("keys and values come as arguments of their own", step.line)

"""Mistakes with the loss of a training loop: what it is made of, and what keeps it."""

import ast

from ._loop_text import method_of, owner_of, path_of, within

# What only gives the same numbers another shape.
_VIEWS = {"flatten", "view", "reshape", "transpose", "permute", "squeeze", "contiguous", "float"}


def of_loop(loop):
    """(line, kind, detail) of each."""
    yield from _kept(loop)
    yield from _anew(loop)
    yield from _softened(loop)


def _losses(loop):
    """Names of which a backward() is called: `loss.backward()`, `(loss / n).backward()`, `scaler.scale(loss)`."""
    for call in loop.backward:
        owner = call.func.value
        if isinstance(owner, ast.Call) and method_of(owner) == "scale" and owner.args:
            owner = owner.args[0]
        names = [it.id for it in ast.walk(owner) if isinstance(it, ast.Name)]
        if isinstance(owner, (ast.Name, ast.BinOp)) and names:
            yield names[0], call


def _kept(loop):
    """`total += loss` and `losses.append(loss)`, of the loss itself: its graph goes with it."""
    for name, backward in _losses(loop):
        for node in within(loop.node.body):
            kept = _kept_in(node)
            if kept is None or not _is_of(kept[1], name) or kept[0] == name:
                continue
            is_read = any(kept[0] in ast.unparse(it.func) for it in loop.backward)
            if not is_read and not _is_replaced(loop, name, backward.lineno, node.lineno):
                yield (node.lineno, "graph-kept", kept[0])


def _kept_in(node):
    """(name that keeps, expression that is kept) of a statement."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        return ast.unparse(node.target), node.value
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        call = node.value
        if method_of(call) == "append" and len(call.args) == 1:
            return owner_of(call), call.args[0]
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp):
        target = ast.unparse(node.targets[0])
        if isinstance(node.value.op, ast.Add) and ast.unparse(node.value.left) == target:
            return target, node.value.right
    return None


def _is_of(value, name):
    """The name, or a product or quotient of it."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Mult, ast.Div)):
        return _is_of(value.left, name) or _is_of(value.right, name)
    return isinstance(value, ast.Name) and value.id == name


def _is_replaced(loop, name, start, end):
    """Whether the name is assigned between both lines (`loss = loss.item()`)."""
    return any(
        isinstance(node, ast.Assign)
        and start < node.lineno < end
        and any(ast.unparse(it) == name for it in node.targets)
        for node in within(loop.node.body)
    )


def _anew(loop):
    """`loss = torch.tensor(loss.item(), requires_grad=True)`: a leaf of which no weight knows."""
    for name, backward in _losses(loop):
        for node in within(loop.node.body):
            if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
                continue
            path = path_of(node.value.func, loop.script.brought)
            asks = [it for it in node.value.keywords if it.arg == "requires_grad"]
            is_true = any(ast.unparse(it.value) == "True" for it in asks)
            is_leaf = path in ("torch.tensor", "torch.autograd.Variable") and is_true
            if is_leaf and ast.unparse(node.targets[0]) == name and node.lineno < backward.lineno:
                yield (node.lineno, "loss-anew", ast.unparse(node.value))


def _softened(loop):
    """Probabilities, or logarithms of them, that the loop makes itself and gives to a cross-entropy."""
    for call in loop.calls:
        path = path_of(call.func, loop.script.brought)
        is_entropy = path == "torch.nn.functional.cross_entropy"
        if not call.args or not (is_entropy or ast.unparse(call.func) in loop.script.criteria):
            continue
        made = _behind_views(call.args[0])
        if isinstance(made, ast.Name):
            ways = [it for it in within(loop.node.body) if _assigns(it, made.id)]
            made = _behind_views(ways[0].value) if len(ways) == 1 else made
        if not isinstance(made, ast.Call):
            continue
        kind = ast.unparse(made.func).split(".")[-1]
        if kind in ("softmax", "log_softmax"):
            yield (made.lineno, "softened" if kind == "softmax" else "log-twice", kind)


def _behind_views(node):
    while True:
        if isinstance(node, ast.Subscript) or (
            isinstance(node, ast.Attribute) and node.attr == "mT"
        ):
            node = node.value
        elif isinstance(node, ast.Call) and method_of(node) in _VIEWS:
            node = node.func.value
        else:
            return node


def _assigns(node, name):
    return isinstance(node, ast.Assign) and any(ast.unparse(it) == name for it in node.targets)

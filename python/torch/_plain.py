"""Tensors that a model keeps as plain attributes: no parameters, no buffers, and in no checkpoint.

Told are those that ask for a gradient, as `nn.Parameter(…) * 0.02` does, and those drawn at random.
"""

import ast
import linecache

from ._syntax import statements_in, tree_of
from ._tied import user_place

# None: nobody listens.
_assigned = None
_draws = {"randn", "rand", "randint", "normal", "randn_like", "rand_like"} | {
    f"{name}_"
    for name in (
        *("normal", "uniform", "trunc_normal", "orthogonal", "bernoulli"),
        *("xavier_uniform", "xavier_normal", "kaiming_uniform", "kaiming_normal"),
    )
}


def listen():
    global _assigned
    _assigned = {}


def stop():
    """(module, name, tensor, place) of the assignments since `listen`."""
    global _assigned
    assigned, _assigned = _assigned, None
    return list((assigned or {}).values())


def note(module, name, value):
    """`module.name = value` of a tensor that no table of the module takes."""
    if _assigned is not None and (place := user_place()) is not None:
        _assigned[id(module), name] = (module, name, value, place)


def kept(assigned, model):
    """[file, line, text of the line, name, "gradient" or "drawn"] of what the model still has and reads."""
    paths = {id(module): path for path, module in model.named_modules()}
    found = []
    for module, name, tensor, (file, line) in assigned:
        if id(module) not in paths or module.__dict__.get(name) is not tensor:
            continue
        if not tensor.dtype.is_floating_point or not _is_read(file, line, name):
            continue
        text = linecache.getline(file, line).strip()
        path = ".".join(filter(None, (paths[id(module)], name)))
        if tensor.requires_grad:
            found.append([file, line, text, path, "gradient"])
        elif _is_drawn(file, line):
            found.append([file, line, text, path, "drawn"])
    return found


def _is_read(file, line, name):
    """Whether a function that does not hold the line reads an attribute of that name."""
    return any(
        isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load)
        for function in _functions(file)
        if not _holds(function, line)
        for node in ast.walk(function)
    )


def _is_drawn(file, line):
    """Whether the value of the assignment on the line, or what it names, is of a call that draws."""
    function = next((it for it in _functions(file) if _holds(it, line)), None)
    if function is None:
        return False
    drawn = set()
    for statement in statements_in(function):
        if not isinstance(statement, ast.Assign) or statement.lineno > line:
            continue
        is_random = any(_draws_in(node, drawn) for node in ast.walk(statement.value))
        if _holds(statement, line):
            return is_random
        for target in statement.targets:
            if isinstance(target, ast.Name):
                (drawn.add if is_random else drawn.discard)(target.id)
    return False


def _draws_in(node, drawn):
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in _draws
    return isinstance(node, ast.Name) and node.id in drawn


def _functions(file):
    """The innermost last."""
    return [it for it in statements_in(tree_of(file)) if isinstance(it, ast.FunctionDef)]


def _holds(node, line):
    return node.lineno <= line <= (node.end_lineno or node.lineno)

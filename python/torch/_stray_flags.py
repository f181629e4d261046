"""Flags that were to stop gradients and stop none: of a module, which has no such attribute, or misspelled."""

import ast
import linecache

from ._syntax import tree_of
from ._tied import user_place

_MISSPELLED = {
    "require_grad",
    "require_grads",
    "requires_grads",
    "requires_gradient",
    "require_gradient",
}

# None: nobody listens.
_assigned = None


def listen():
    global _assigned
    _assigned = {}


def stop():
    """(module, flag, place) of the assignments since `listen`."""
    global _assigned
    assigned, _assigned = _assigned, None
    return list((assigned or {}).values())


def note(module, name, _):
    """`module.requires_grad = False`; other attributes are none of its business."""
    if name != "requires_grad" or _assigned is None:
        return
    if (place := user_place()) is not None:
        _assigned[id(module)] = (module, name, place)


def of_modules(assigned, model):
    """[file, line, text of the line, flag] of those that the model has, and whose parameters still learn."""
    owned = {id(module) for module in model.modules()}
    return [
        [file, line, linecache.getline(file, line).strip(), flag]
        for module, flag, (file, line) in assigned
        if id(module) in owned and any(it.requires_grad for it in module.parameters())
    ]


def misspelled(files):
    """[file, line, text of the line, flag] of assignments to an attribute that nobody reads, of what is a parameter."""
    found = []
    for file in files:
        text = "".join(linecache.getlines(file))
        if not any(name in text for name in _MISSPELLED):
            continue
        parameters = _loop_names(tree_of(file))
        for node in ast.walk(tree_of(file)):
            targets = node.targets if isinstance(node, ast.Assign) else []
            for target in targets:
                flag = target.attr if isinstance(target, ast.Attribute) else None
                if flag not in _MISSPELLED or text.count(f".{flag}") != 1:
                    continue
                owner = ast.unparse(target.value)
                if owner in parameters or owner.endswith((".weight", ".bias")):
                    line = target.lineno
                    found.append([file, line, linecache.getline(file, line).strip(), flag])
    return found


def _loop_names(tree):
    """Names of loops over parameters: `for p in model.parameters()`."""
    return {
        ast.unparse(name)
        for node in ast.walk(tree)
        if isinstance(node, ast.For) and "parameters(" in ast.unparse(node.iter)
        for name in (node.target.elts if isinstance(node.target, ast.Tuple) else [node.target])
    }

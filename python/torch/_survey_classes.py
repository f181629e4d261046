"""The classes of a file that can be run, and what each constructor needs: read, not run."""

import ast

from ._plan_config import is_config
from ._plan_names import made_up


def classes(tree, dotted):
    """Modules of the file; `dotted` gives the torch name that an expression stands for."""
    defined = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    rows = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and _is_module(node, defined, dotted, set()):
            init = _method_of(node, "__init__", defined)
            rows.append(
                {
                    "name": node.name,
                    "line": node.lineno,
                    "hasForward": _method_of(node, "forward", defined) is not None,
                    "arguments": [] if init is None else _arguments(init, defined),
                }
            )
    return rows


def _is_module(node, defined, dotted, seen):
    for base in node.bases:
        if (dotted(base) or "").startswith("torch.nn."):
            return True
        name = getattr(base, "id", None)
        if name in defined and name not in seen:
            if _is_module(defined[name], defined, dotted, seen | {name}):
                return True
    # A base from elsewhere: what has a forward is a module.
    foreign = any(getattr(base, "id", None) not in defined for base in node.bases)
    return foreign and _method_of(node, "forward", {}) is not None


def _method_of(node, name, defined):
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == name:
            return item
    for base in node.bases:
        parent = defined.get(getattr(base, "id", None))
        found = parent is not None and parent is not node and _method_of(parent, name, defined)
        if found:
            return found
    return None


def _arguments(init, defined):
    """Each argument after self: its default, or what a run makes up, or that it must be given."""
    named = [*init.args.posonlyargs, *init.args.args][1:]
    without = len(named) - len(init.args.defaults)
    defaults = [None] * max(without, 0) + init.args.defaults[max(-without, 0) :]
    pairs = [*zip(named, defaults), *zip(init.args.kwonlyargs, init.args.kw_defaults)]
    return [_argument(arg, default, defined) for arg, default in pairs]


def _argument(arg, default, defined):
    row = {"name": arg.arg, "default": None, "madeUp": None, "config": None}
    annotation = None if arg.annotation is None else ast.unparse(arg.annotation)
    config = _config(arg.arg, annotation, defined)
    if default is not None:
        row["default"] = ast.unparse(default)
    elif config is not None:
        row["config"] = config
    else:
        row["madeUp"] = _made_up(arg.arg, annotation)
    return row


def _config(name, annotation, defined):
    plain = (annotation or "").strip("'\"")
    if plain in defined and _is_dataclass(defined[plain]):
        return plain
    if not is_config(name):
        return None
    own = [
        other
        for other, node in defined.items()
        if _is_dataclass(node) or other.endswith(("Config", "Args"))
    ]
    return own[0] if len(own) == 1 else None


def _is_dataclass(node):
    return any("dataclass" in ast.unparse(mark) for mark in node.decorator_list)


def _made_up(name, annotation):
    """What `normscope run` gives an argument that nobody has set; None where it asks for it."""
    try:
        return repr(made_up(name, annotation))
    except LookupError:
        return "an object with the fields that it asks for" if is_config(name) else None

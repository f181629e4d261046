"""Settings that a file keeps for its classes: `CONFIGS = {"base": …, "large": …}`, `SMALL = Config(…)`."""

import ast
import copy
import types
from collections.abc import Mapping

from ._plan_usage import Made
from ._syntax import module_tree
from ._tensor import Tensor


def kept_settings(module, name):
    """`Made` of each value of the file that has the fields which the file asks of `name`, in its order."""
    asked = asked_of(module, name)
    held = [(key, text, value, held_fields(value, asked)) for key, text, value in _values(module)]
    enough = max(_FEW, max((count for *_, count in held), default=0) // 2)
    return [_made(key, text, value) for key, text, value, count in held if count >= enough]


# With fewer fields in common the names are the same by chance.
_FEW = 2


def _made(key, text, value):
    # The constructor may write into what it takes.
    return Made(lambda: copy.deepcopy(value), text, (), (key,))


def _values(module):
    """(global name, text, value) of what could hold settings: globals, and items of dicts of them."""
    for key, value in list(vars(module).items()):
        if key.startswith("__") or isinstance(value, _NO_SETTINGS):
            continue
        yield key, key, value
        if isinstance(value, dict):
            for inner, item in value.items():
                if isinstance(inner, str) and not isinstance(item, _NO_SETTINGS):
                    yield key, f"{key}[{inner!r}]", item


_NO_SETTINGS = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, Tensor)


def held_fields(value, asked):
    """How many of the fields it has."""
    if isinstance(value, Mapping):
        return sum(field in value for field in asked)
    return sum(field in getattr(value, "__dict__", ()) for field in asked)


def asked_of(module, name):
    """Fields of `name.field`, `name["field"]` and `name.get("field")` anywhere in the file.

    Also of an attribute that it is put into: `self.cfg = config`.
    """
    nodes = [*ast.walk(module_tree(module))]
    names = {name, *(kept for it in nodes if (kept := _kept_in(it, name)))}
    found = set()
    for it in nodes:
        if isinstance(it, ast.Attribute) and _last(it.value) in names:
            found.add(it.attr)
        elif isinstance(it, ast.Subscript) and _last(it.value) in names:
            found.add(getattr(it.slice, "value", None))
        elif isinstance(it, ast.Call) and getattr(it.func, "attr", None) == "get" and it.args:
            if _last(it.func.value) in names:
                found.add(getattr(it.args[0], "value", None))
    return {it for it in found if isinstance(it, str)}


def _kept_in(node, name):
    """x of `self.x = name`, else None."""
    is_kept = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute)
    return node.targets[0].attr if is_kept and _last(node.value) == name else None


def _last(node):
    return getattr(node, "id", getattr(node, "attr", None))

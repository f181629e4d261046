"""Settings that other files of the project make for its models: `get_cfg()`, `Config()`."""

import ast
import importlib
import os
import re

from ._plan_kept import asked_of, held_fields
from ._plan_project import paths_of, root_of
from ._plan_usage import Made
from ._syntax import tree_of

_MAKES = re.compile(r"^get_\w*(cfg|config)|(Config|Cfg|Args)$")
_FILES = 400
# Each is imported.
_MOST = 3


def project_settings(module, name):
    """`Made` of what functions and classes of other files make without arguments, where it has what is asked of `name`."""
    asked = asked_of(module, name)
    file = getattr(module, "__file__", "")
    root = root_of(file)
    made = []
    for path, maker in _makers(root, file, asked) if root and asked else ():
        if len(made) == _MOST:
            break
        if (one := _made(root, path, maker, asked)) is not None:
            made.append(one)
    return made


def _makers(root, file, asked):
    """(path, name) of each whose file speaks of what is asked, the nearest files first."""
    paths = [it for it in paths_of(root) if it.endswith(".py") and it != file]
    near = sorted(paths, key=lambda it: (-len(os.path.commonpath([file, it])), it))
    for path in near[:_FILES]:
        for node in tree_of(path).body if _speaks_of(path, asked) else ():
            if _MAKES.search(getattr(node, "name", "")) and _takes_nothing(node):
                yield path, node.name


def _speaks_of(path, asked):
    with open(path, encoding="utf-8", errors="replace") as file:
        words = set(re.findall(r"\w+", file.read()))
    return 2 * len(words & asked) >= len(asked)


def _takes_nothing(node):
    """Whether the function, or the class by its constructor, needs no argument."""
    inits = [it for it in node.body if getattr(it, "name", None) == "__init__"]
    made = inits[0] if isinstance(node, ast.ClassDef) and inits else node
    if isinstance(made, ast.ClassDef):
        return True
    needed = [*made.args.posonlyargs, *made.args.args][len(inits) :]
    return len(needed) <= len(made.args.defaults) and None not in made.args.kw_defaults


def _made(root, path, maker, asked):
    """None where the file cannot be imported, or makes something else."""
    dotted = os.path.relpath(path, root).removesuffix(".py").replace("/", ".")
    dotted = dotted.removesuffix(".__init__")
    if not all(it.isidentifier() for it in dotted.split(".")):
        return None
    try:
        make = getattr(importlib.import_module(dotted), maker)
        held = held_fields(make(), asked)
    except Exception:
        return None
    if 2 * held < len(asked):
        return None
    return Made(make, f"{maker}()", (f"from {dotted} import {maker}",))

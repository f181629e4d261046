"""What the rest of the project hands to a class: `Wrapper(net)` with `net = Net(…)` in its training script."""

import ast
import functools
import importlib
import inspect
import re
import sys

from normscope_boot import places

from ._plan_beside import user_module
from ._plan_project import paths_of, root_of
from ._syntax import parsed


def class_handed(module, cls, name):
    """The class of modules that the project's files make for the argument; None where none of them tells."""
    root = root_of(getattr(module, "__file__", ""))
    names = list(inspect.signature(cls).parameters)
    if root is None or name not in names:
        return None
    at = names.index(name)
    for text in _texts_with(root, f"{cls.__name__}("):
        for made in _classes_handed(text, cls.__name__, name, at):
            if (found := _class_named(module, root, made)) is not None and found is not cls:
                return found
    return None


# Of a project: more files of Python than these hold no use that could be told apart.
_FILES = 400


@functools.lru_cache(maxsize=32)
def _texts_with(root, words):
    """Texts of the project's files of Python that have the words, in the order of their paths."""
    paths = [it for it in sorted(paths_of(root)) if it.endswith(".py")]
    return [text for path in paths[:_FILES] if words in (text := _text(path))]


def _text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return ""


def _classes_handed(text, cls, name, at):
    """Names of classes in the calls of the class, in their order."""
    try:
        tree = parsed(text)
    except (SyntaxError, ValueError):
        return
    made = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            called = _last_name(node.value.func)
            made.setdefault(ast.unparse(node.targets[0]), []).append(called)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _last_name(node.func) == cls:
            given = next((it.value for it in node.keywords if it.arg == name), None)
            if given is None and at < len(node.args):
                given = node.args[at]
            if isinstance(given, ast.Call):
                yield _last_name(given.func)
            elif given is not None:
                yield from (it for it in made.get(ast.unparse(given), ()) if it != cls)


def _last_name(node):
    return getattr(node, "attr", getattr(node, "id", None))


def _class_named(module, root, name):
    """The class of that name in the model's own file, or in one of the project."""
    if (found := user_module(vars(module).get(name))) is not None:
        return found
    pattern = re.compile(rf"^class {re.escape(name)}\b", re.MULTILINE)
    paths = [it for it in sorted(paths_of(root)) if it.endswith(".py")]
    for path in paths[:_FILES]:
        if pattern.search(_text(path)) and (found := user_module(_imported(path, name))):
            return found
    return None


def _imported(path, name):
    """The name of the file, imported as a file of the project imports it; None where that does not do."""
    for folder in sys.path:
        below = path.removeprefix(folder.rstrip("/") + "/")
        if places.is_user_file(path) and below != path:
            try:
                file = below.removesuffix(".py").replace("/", ".")
                return getattr(importlib.import_module(file), name, None)
            except Exception:
                continue
    return None

"""What the files of a project say of a name: defaults of its command lines, and its settings.

Read, never run: `add_argument("--width", default=64)`, YAML, JSON, and constants of a Python file.
"""

import ast
import functools
import json
import os
import re

from normscope_boot import places

from ._syntax import parsed


def project_value(name, file):
    """`(value,)` of the setting that is nearest to `file`, or None. Numbers, texts, and lists of them."""
    root = root_of(file)
    if root is None:
        return None
    found = _settings(root).get(name)
    if not found:
        return None
    folder = os.path.dirname(file)
    return (max(found, key=lambda it: len(os.path.commonpath([folder, it[0]])))[1],)


def root_of(file):
    """The folder of the project that the file is of, or None."""
    return next((it for it in places.user_roots if file.startswith(it.rstrip("/") + "/")), None)


# Of a project: more files than these hold no settings of a model that could be told apart.
_FILES = 400
_SIZE = 200_000
_DEPTH = 5


@functools.lru_cache(maxsize=4)
def _settings(root):
    """{name: [(folder, value)]}, in the order of paths."""
    found = {}
    for path in sorted(paths_of(root))[:_FILES]:
        for name, value in _of_file(path):
            if _is_plain(value):
                found.setdefault(name.replace("-", "_"), []).append((os.path.dirname(path), value))
    return found


def paths_of(root):
    """Its files of Python and of settings."""
    depth = root.rstrip("/").count("/")
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(
            it for it in folders if not it.startswith((".", "__")) and it != "node_modules"
        )
        if folder.count("/") - depth >= _DEPTH:
            folders.clear()
        for file in files:
            path = f"{folder}/{file}"
            if file.endswith((".py", ".yaml", ".yml", ".json")) and os.path.getsize(path) < _SIZE:
                yield path


def _of_file(path):
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if path.endswith(".py"):
            return list(_of_python(parsed(text)))
        return list(_of_json(json.loads(text)) if path.endswith(".json") else _of_yaml(text))
    except (OSError, ValueError, SyntaxError, RecursionError):
        return []


def _of_python(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", None) in _ADDING:
            yield from _of_argument(node)
        elif isinstance(node, ast.Dict):
            yield from _pairs(node.keys, node.values)
        elif isinstance(node, ast.ClassDef):
            yield from _of_class(node)


# Of argparse, and the short one of configargparse.
_ADDING = ("add_argument", "add")


def _of_argument(node):
    """The name and default of an argument of a command line."""
    flags = [
        it.value for it in node.args if isinstance(it, ast.Constant) and isinstance(it.value, str)
    ]
    named = {it.arg: it.value for it in node.keywords}
    long = next((it for it in flags if it.startswith("--")), flags[0] if flags else None)
    if long is None or not (node.func.attr == "add_argument" or long.startswith("--")):
        return
    name = getattr(named.get("dest"), "value", None) or long.lstrip("-")
    if getattr(named.get("action"), "value", None) in ("store_true", "store_false"):
        yield name, named["action"].value == "store_false"
    elif "default" in named:
        for _, value in _pairs([ast.Constant(name)], [named["default"]]):
            kind = _KINDS.get(getattr(named.get("type"), "id", None))
            value = kind(value) if kind and isinstance(value, (int, float)) else value
            # Lists are given as texts, mostly.
            yield name, _scalar(value) if isinstance(value, str) else value


_KINDS = {"int": int, "float": float}


def _of_class(node):
    """Constants of a class: fields of a config, mostly."""
    for it in node.body:
        if isinstance(it, ast.AnnAssign) and it.value is not None:
            yield from _pairs([ast.Constant(getattr(it.target, "id", None))], [it.value])
        elif isinstance(it, ast.Assign) and len(it.targets) == 1:
            yield from _pairs([ast.Constant(getattr(it.targets[0], "id", None))], [it.value])


def _pairs(keys, values):
    for key, value in zip(keys, values):
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            try:
                yield key.value, ast.literal_eval(value)
            except (ValueError, TypeError):
                continue


def _of_json(value):
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name, inner
            yield from _of_json(inner)


def _of_yaml(text):
    """Lines `name: value` whose value is one of Python's or JSON's, or a word."""
    for name, value in re.findall(r"^[ \t-]*([A-Za-z_]\w*)\s*:[ \t]+([^#\n]+)", text, re.MULTILINE):
        yield name, _scalar(value.strip())


def _scalar(text):
    if text.lower() in ("true", "false", "null", "~"):
        return {"true": True, "false": False}.get(text.lower())
    try:
        return ast.literal_eval(parsed(text, "eval"))
    except (ValueError, SyntaxError):
        return float(text) if re.fullmatch(r"[\d.]+e-?\d+", text) else text


def _is_plain(value):
    if isinstance(value, (list, tuple)):
        return bool(value) and len(value) < 32 and all(map(_is_plain, value))
    return isinstance(value, (bool, int, float)) or (isinstance(value, str) and len(value) < 40)

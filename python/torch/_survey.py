"""What of a file can be read, without running it: its imports, its torch calls, its classes."""

import ast
import importlib
import inspect
import pathlib
import sys
import types

from . import _survey_classes
from ._host import UnsupportedCall
from ._names import of as names_of
from ._tensor import Tensor

_SITE = pathlib.Path(__file__).parent.parent
_IMPORT_ERRORS = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


def survey(path, packages):
    """Plain data for the file at `path`; `packages` are the folders that the user named."""
    source = pathlib.Path(path).read_text(encoding="utf-8")
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        problem = {"line": error.lineno or 1, "message": error.msg}
        return {
            "syntaxError": problem,
            "isScript": False,
            "imports": [],
            "calls": [],
            "classes": [],
        }
    folder = pathlib.Path(path).parent
    imports = [row for node in ast.walk(tree) for row in _imports(node, folder, packages)]
    guarded = _guarded_lines(tree)
    for row in imports:
        row["guarded"] = row["line"] in guarded
    aliases = _aliases(tree)
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return {
        "syntaxError": None,
        "isScript": {"build", "step"} <= functions,
        "imports": sorted(imports, key=lambda row: row["line"]),
        "calls": _calls(tree, aliases),
        "classes": _survey_classes.classes(tree, lambda node: _dotted(node, aliases)),
    }


def _imports(node, folder, packages):
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield _import_row(alias.name, node.lineno, folder, packages)
    elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
        # `from . import name` names modules of the folder.
        names = [node.module] if node.module else [alias.name for alias in node.names]
        for name in names:
            yield _import_row("." * node.level + name, node.lineno, folder, packages)


def _import_row(name, line, folder, packages):
    return {"name": name, "line": line, "kind": _kind(name, folder, packages)}


def _kind(name, folder, packages):
    if name.startswith("."):
        depth = len(name) - len(name.lstrip("."))
        start = folder
        for _ in range(depth - 1):
            start = start.parent
        return "local" if _lies_in(start, name.lstrip(".")) else "missing"
    if _lies_in(folder, name):
        return "local"
    top = name.partition(".")[0]
    if _lies_in(_SITE, top):
        return "stand-in" if _lies_in(_SITE, name) else "missing"
    if top in sys.stdlib_module_names:
        return "standard"
    return "package" if any(_lies_in(pathlib.Path(p), name) for p in packages) else "missing"


def _lies_in(folder, name):
    """Whether a module of that name stands in a folder, found without importing it."""
    path = folder.joinpath(*name.split(".")) if name else folder
    return path.is_dir() or path.with_name(path.name + ".py").is_file()


def _guarded_lines(tree):
    lines = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any(map(_takes_import_error, node.handlers)):
            lines.update(range(node.body[0].lineno, node.body[-1].end_lineno + 1))
    return lines


def _takes_import_error(handler):
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or getattr(kind, "id", None) in _IMPORT_ERRORS for kind in kinds)


def _aliases(tree):
    """Which dotted name of torch each name of the file stands for."""
    aliases = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "torch":
                    whole = alias.name if alias.asname else "torch"
                    aliases[alias.asname or "torch"] = whole
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "torch":
            for alias in node.names:
                aliases[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return aliases


def _dotted(node, aliases):
    """ "torch.nn.Linear" for nn.Linear; None for what does not come from torch."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in aliases:
        return None
    return ".".join([aliases[node.id], *reversed(parts)])


def _calls(tree, aliases):
    """Names of torch and methods of tensors, each with its lines."""
    rows = {}
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    own = _own_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Attribute, ast.Name)) and id(node) not in inner:
            dotted = _dotted(node, aliases)
            if dotted is not None:
                _add(rows, *_resolved(dotted), node.lineno)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "torch":
            for alias in node.names:
                _add(rows, *_resolved(f"{node.module}.{alias.name}"), node.lineno)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if _dotted(node.func, aliases) is None and name not in own:
                if name in names_of("torch.Tensor") and not name.startswith("_"):
                    _add(rows, *_method(name), node.func.end_lineno)
    return sorted(rows.values(), key=lambda row: (row["state"] == "supported", row["lines"][0]))


def _own_names(tree):
    """What the file itself defines: a method of that name is likelier its own than a tensor's."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


def _add(rows, name, state, near, line):
    if name is None:
        return
    row = rows.setdefault(name, {"name": name, "state": state, "nearest": near, "lines": []})
    if line not in row["lines"]:
        row["lines"].append(line)


def _resolved(dotted):
    """The part of a dotted name that is torch's own, and whether the stand-in has it."""
    parts = dotted.split(".")
    at = importlib.import_module("torch")
    for count, part in enumerate(parts[1:], 2):
        name = ".".join(parts[:count])
        try:
            at = getattr(at, part)
        except UnsupportedCall as error:
            return name, "unsupported", _nearest(error)
        except AttributeError:
            at = _submodule(name)
            if at is None:
                return name, "unknown", []
        if not isinstance(at, (types.ModuleType, type)):
            return name, "supported", []
    return (None if isinstance(at, types.ModuleType) else dotted), "supported", []


def _submodule(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _method(name):
    try:
        inspect.getattr_static(Tensor, name)
        return f"Tensor.{name}", "supported", []
    except AttributeError:
        pass
    try:
        getattr(Tensor, name)
        return f"Tensor.{name}", "supported", []
    except UnsupportedCall as error:
        return f"Tensor.{name}", "unsupported", _nearest(error)
    except AttributeError:
        from ._unsupported import _near

        return f"Tensor.{name}", "unsupported", _near(name, dir(Tensor))


def _nearest(error):
    _, _, near = str(error).partition("the nearest that are: ")
    return near.split(", ") if near else []

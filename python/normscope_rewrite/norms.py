"""Which attributes of a class are norms, and how they were made."""

import ast
import re

from .parts import opening_of, parts
from .source import assignments, classes, last_name, method, of_dict

_CLASS_NAME = re.compile(r"norm", re.IGNORECASE)
_ATTRIBUTE_NAME = re.compile(r"norm|(?:^|_)ln(?:_|\d|$)", re.IGNORECASE)


class Norm:
    """`path` as it is written: "self.ln_1". `made`: the expression that made it, in `statement`.

    `part`: the module that it is one of, None where that is the class itself.
    """

    def __init__(self, path, made, statement, part=None):
        self.part = part
        self.path = path
        self.made = made
        self.statement = statement


class Norms:
    """The norms of one class: with `depth` 1 those within sequences too, with 2 those of the modules that it calls."""

    def __init__(self, source, cls, depth=0):
        self._own_norms = _norm_classes(source.tree)
        self._depth = depth
        self.found = {}
        # By the path of the module: the norm that its class begins with.
        self.openings = {}
        # By the path of the module: the step that it ends (see closings.py).
        self.closings = {}
        self.parts = parts(source, cls) if depth == 2 else {}
        init = method(cls, "__init__")
        for target, value, statement in assignments(init):
            self._add(ast.unparse(target), value, statement)
        for path, part in self.parts.items():
            self._add_part(path, Norms(source, part.cls, depth=1))

    def _add_part(self, path, norms):
        part = self.parts[path]
        for own, norm in norms.found.items():
            self.found[path + own.removeprefix("self")] = Norm(
                norm.path, norm.made, norm.statement, part
            )
        opening = opening_of(part.cls, norms)
        if opening is not None:
            self.openings[path] = opening

    def _add(self, path, made, statement):
        if not path.startswith("self."):
            return
        if self._depth > 0 and isinstance(made, ast.Call) and last_name(made.func) == "Sequential":
            for at, inner in enumerate(made.args):
                if isinstance(inner, ast.Call) and self._is_norm("", inner):
                    self.found[f"{path}[{at}]"] = Norm(f"{path}[{at}]", inner, statement)
        for name, inner in of_dict(made):
            self._add(f"{path}.{name}", inner, statement)
            self._add(f"{path}[{name!r}]", inner, statement)
        if self._is_norm(re.split(r"[.\[]", path)[-1], made):
            self.found[path] = Norm(path, made, statement)

    def _is_norm(self, attribute, made):
        if isinstance(made, ast.IfExp):
            return self._is_norm(attribute, made.body)
        if isinstance(made, ast.Name):
            return bool(_ATTRIBUTE_NAME.search(attribute))
        if not isinstance(made, ast.Call):
            return False
        name = last_name(made.func)
        if name in ("ModuleList", "Sequential", "ModuleDict"):
            inner = [
                node for node in ast.walk(made) if isinstance(node, ast.Call) and node is not made
            ]
            return name == "ModuleList" and bool(inner) and self._is_norm(attribute, inner[0])
        return (
            name in self._own_norms
            or bool(_CLASS_NAME.search(name))
            or (name == "build" and bool(_ATTRIBUTE_NAME.search(attribute)))
        )

    def opening_of_use(self, use):
        """The path of the module that is called with this value first, and begins with its norm; or None."""
        call = use.parent
        is_first = isinstance(call, ast.Call) and call.args and call.args[0] is use
        path = ast.unparse(call.func) if is_first else None
        return path if path in self.openings else None

    def of_call(self, node):
        """The path of the norm that `node` calls with one value, or None."""
        if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
            return None
        function = node.func
        base = function.value if isinstance(function, ast.Subscript) else function
        is_norm = ast.unparse(function) in self.found or ast.unparse(base) in self.found
        return ast.unparse(function) if is_norm else None


def _norm_classes(tree):
    """Classes whose own arithmetic is a norm's: they divide by a root of a mean, or call one that does."""
    return {name for name, cls in classes(tree).items() if _normalises(cls)}


def _normalises(cls):
    forward = method(cls, "forward")
    if forward is None:
        return False
    called = {last_name(node.func) for node in ast.walk(cls) if isinstance(node, ast.Call)}
    if called & {"layer_norm", "rms_norm"}:
        return True
    is_small = len(list(ast.walk(cls))) < 250
    return is_small and "mean" in called and bool(called & {"var", "std", "rsqrt", "sqrt"})

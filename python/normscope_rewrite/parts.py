"""The modules that a class calls, and norms that these begin with themselves."""

import ast

from .source import assignments, body_of, classes, last_name, method, methods, of_dict


class Part:
    """`path` as it is called: "self.attn", or the name in a loop. `made`: the call that makes it, of the class `cls`."""

    def __init__(self, path, cls, made):
        self.path = path
        self.cls = cls
        self.made = made


def parts(source, cls):
    """By path; a path that stands for several classes is left out."""
    known = classes(source.tree)
    found = {}
    for path, made in _made(cls):
        own = known.get(last_name(made.func)) if isinstance(made, ast.Call) else None
        if own is None or own is cls:
            continue
        if path in found and found[path].cls is not own:
            found[path] = None
        elif found.get(path, path) is not None:
            found[path] = Part(path, own, made)
    return {path: part for path, part in found.items() if part is not None}


def _made(cls):
    """Paths and what makes them: attributes, and names of loops over lists of modules."""
    rows = {}
    for target, value, _ in assignments(method(cls, "__init__")):
        path = ast.unparse(target)
        if not path.startswith("self."):
            continue
        yield path, value
        for name, inner in of_dict(value):
            yield f"{path}[{name!r}]", inner
        rows.setdefault(path, []).extend(_items(value))
    for node in ast.walk(cls):
        is_append = (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "append"
        )
        if is_append and len(node.args) == 1:
            rows.setdefault(ast.unparse(node.func.value), []).append(node.args[0])
    for function in methods(cls):
        for loop in ast.walk(function):
            if isinstance(loop, ast.For):
                yield from _of_loop(loop, rows.get(ast.unparse(loop.iter), []))


def _items(value):
    """What stands in nn.ModuleList([…]), written out or for each of a range."""
    if (
        not isinstance(value, ast.Call)
        or last_name(value.func) != "ModuleList"
        or len(value.args) != 1
    ):
        return []
    inner = value.args[0]
    if isinstance(inner, (ast.ListComp, ast.GeneratorExp)):
        return [inner.elt]
    return inner.elts if isinstance(inner, (ast.List, ast.Tuple)) else []


def _of_loop(loop, rows):
    for row in rows:
        if isinstance(loop.target, ast.Name):
            yield loop.target.id, row
        elif isinstance(loop.target, ast.Tuple):
            for name, item in zip(loop.target.elts, _items(row)):
                if isinstance(name, ast.Name):
                    yield name.id, item


class Opening:
    """How a class begins with a norm of its input: `norm` is its path behind that of the module."""

    def __init__(self, cls, norm, statement=None, calls=(), sequence=None):
        self.cls = cls
        self.norm = norm
        self.statement = statement
        self.calls = calls
        self.sequence = sequence

    def take_out(self, source):
        """The norm stays where it is made."""
        if self.statement is not None:
            source.delete_statement(self.statement)
        for call in self.calls:
            source.unwrap(call)
        if self.sequence is not None:
            source.insert(source.end(self.sequence.func), "[1:]")


def opening_of(cls, norms):
    """`norms` are those of the class; None where it does not begin with one."""
    forward = method(cls, "forward")
    if forward is None or len(forward.args.args) < 2:
        return None
    name = forward.args.args[1].arg
    uses = [node for node in ast.walk(forward) if isinstance(node, ast.Name) and node.id == name]
    stores = [node for node in uses if isinstance(node.ctx, ast.Store)]
    first = _first_statement(forward)
    if (
        isinstance(first, ast.Assign)
        and stores
        and stores[0].parent is first
        and norms.of_call(first.value) is not None
    ):
        argument = first.value.args[0]
        is_own = isinstance(argument, ast.Name) and argument.id == name and len(first.targets) == 1
        return (
            Opening(cls, _behind(norms.of_call(first.value)), statement=first)
            if is_own and len(body_of(first)) > 1
            else None
        )
    if stores or not uses:
        return None
    paths = {norms.of_call(use.parent) for use in uses}
    if len(paths) == 1 and None not in paths:
        return Opening(cls, _behind(paths.pop()), calls=[use.parent for use in uses])
    call = uses[0].parent
    is_only = (
        len(uses) == 1
        and isinstance(call, ast.Call)
        and call.args == [uses[0]]
        and not call.keywords
    )
    path = f"{ast.unparse(call.func)}[0]" if is_only else ""
    return Opening(cls, _behind(path), sequence=call) if path in norms.found else None


def _behind(path):
    return path.removeprefix("self.")


def _first_statement(function):
    """Past the docstring."""
    body = function.body
    is_text = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    return body[1] if is_text and len(body) > 1 else body[0]

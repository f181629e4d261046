"""Lists that a file makes of sets: their order is another in each run of Python, where they hold texts."""

import ast

from normscope_boot.assumptions import assume

from ._syntax import tree_of


def note_orders(path, runs_main):
    """Tells of each such list that the file makes where it is imported, and in its main block where that is run."""
    body = [it for it in tree_of(path).body if runs_main or not _is_main(it)]
    parts = [it for statement in body if not _defines(statement) for it in ast.walk(statement)]
    ordered = {ast.unparse(it) for it in parts for it in _ordered_by(it)}
    for statement in (it for it in parts if isinstance(it, ast.stmt) and not hasattr(it, "body")):
        named = {ast.unparse(it) for it in getattr(statement, "targets", [])}
        for line in () if named & ordered else _lists_of_sets(statement):
            assume(_TOLD, path, line)


_TOLD = (
    "The order of a set of texts is another in each run of Python, unless PYTHONHASHSEED is set: "
    "what is counted from it here, and the numbers that rest on it, are those of one such order"
)


def _is_main(statement):
    return isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test)


def _defines(statement):
    return isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))


def _ordered_by(node):
    """What `name.sort()` and `sorted(name)` put in order."""
    if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "sort":
        yield node.func.value
    elif _calls(node, ("sorted",)):
        yield from node.args[:1]


def _lists_of_sets(node):
    """Lines of `list(set(…))` and its like, but for those of which the order is not used."""
    if _calls(node, _WITHOUT_ORDER):
        return
    if (
        _calls(node, ("list", "tuple", "enumerate"))
        and node.args
        and _calls(node.args[0], ("set",))
    ):
        yield node.lineno
        return
    for inner in ast.iter_child_nodes(node):
        yield from _lists_of_sets(inner)


_WITHOUT_ORDER = ("sorted", "len", "sum", "min", "max", "set", "print")


def _calls(node, names):
    return isinstance(node, ast.Call) and getattr(node.func, "id", None) in names

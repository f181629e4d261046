"""What a file is ready for: whether a line stands in a `try`, and of which errors."""

import ast
import linecache


def is_prepared(frame):
    """True within the body of a `try` or `with suppress(...)` that takes an ImportError."""
    return any(_catches(node, frame.f_lineno) for node in _nodes_of(frame))


def is_tried(frame):
    """True within the body of a `try`."""
    tried = (it.body for it in _nodes_of(frame) if isinstance(it, ast.Try))
    return any(it[0].lineno <= frame.f_lineno <= it[-1].end_lineno for it in tried)


def _nodes_of(frame):
    lines = linecache.getlines(frame.f_code.co_filename)
    try:
        return ast.walk(ast.parse("".join(lines)))
    except SyntaxError:
        return ()


def _catches(node, line):
    if isinstance(node, ast.Try):
        taken = [handler.type for handler in node.handlers]
    elif isinstance(node, ast.With):
        taken = [argument for item in node.items for argument in _suppressed(item.context_expr)]
    else:
        return False
    within = node.body[0].lineno <= line <= node.body[-1].end_lineno
    return within and any(_takes_import_error(kind) for kind in taken)


def _suppressed(expression):
    is_suppress = isinstance(expression, ast.Call) and _last_name(expression.func) == "suppress"
    return expression.args if is_suppress else []


def _takes_import_error(kind):
    if kind is None:
        return True
    if isinstance(kind, ast.Tuple):
        return any(_takes_import_error(element) for element in kind.elts)
    return _last_name(kind) in _IMPORT_ERRORS


_IMPORT_ERRORS = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


def _last_name(expression):
    return getattr(expression, "attr", None) or getattr(expression, "id", None)

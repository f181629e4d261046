"""Where an error was raised: the failing statements of the user's frames."""

import ast

from ._syntax import tree_of


def told_by(error):
    """What makes two errors the same."""
    lines = [tb.tb_lineno for tb, _ in _frames(error)][-1:]
    return (type(error), str(error), *lines, *places_of(error))


def places_of(error):
    """(function, text of its failing statement) of the user's frames, innermost first."""
    found = [(tb.tb_frame.f_code.co_name, ast.unparse(it)) for tb, it in _frames(error)]
    return found[::-1]


def _frames(error):
    """(traceback, failing statement) of the user's frames, outermost first."""
    tb = error.__traceback__
    while tb is not None:
        statement = statement_at(tb.tb_frame.f_code.co_filename, tb.tb_lineno)
        if statement is not None:
            yield tb, statement
        tb = tb.tb_next


def statement_at(file, line):
    """The innermost simple statement of a file at a line."""
    if not file.endswith(".py") or file.startswith("/lib/"):
        return None
    within = [
        it
        for it in ast.walk(tree_of(file))
        if isinstance(it, ast.stmt)
        and it.lineno <= line <= it.end_lineno
        and not hasattr(it, "body")
    ]
    return min(within, key=lambda it: it.end_lineno - it.lineno, default=None)

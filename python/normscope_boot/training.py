"""Training that a file does where it is imported: it is passed over, so that its classes can be run.

Only what defines something is run from the first such statement on: what follows prints, plots and
saves what was trained.
"""

import ast
import importlib.machinery

from normscope_boot.assumptions import assume
from normscope_boot.places import is_user_file


def install():
    """Has every import of a user's file pass its training over."""
    loader = importlib.machinery.SourceFileLoader
    compiled = loader.source_to_code

    def source_to_code(self, data, path, *args, **kwargs):
        if is_user_file(path) and b".backward(" in bytes(data):
            data = without_training(data, path)
        return compiled(self, data, path, *args, **kwargs)

    loader.source_to_code = source_to_code


def without_training(source, path):
    """The file's tree without what trains; the source itself where nothing does."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return source
    trains = _Trains(tree)
    first = next((at for at, it in enumerate(tree.body) if trains.in_statement(it)), None)
    if first is None:
        return source
    kept, left = tree.body[:first], tree.body[first:]
    assume(
        f"The file trains here where it is imported (lines {left[0].lineno} to {left[-1].end_lineno}): "
        "that was passed over, and only what defines something was run from here on",
        path,
        left[0].lineno,
    )
    tree.body = [*map(_if_there, kept), *(it for it in left[1:] if _defines(it))]
    return tree


def _if_there(statement):
    """The statement; where it makes something for the training of what is not there, nothing is made."""
    if _defines(statement) or isinstance(statement, ast.ImportFrom):
        return statement
    guarded = ast.parse(_GUARD.format(line=statement.lineno)).body[0]
    ast.increment_lineno(guarded, statement.lineno - guarded.lineno)
    guarded.body = [statement]
    return ast.fix_missing_locations(guarded)


_GUARD = """
try: pass
except Exception as _problem: __import__("normscope_boot.training", fromlist=["_"]).pass_over(_problem, __file__, {line})
"""


def pass_over(problem, file, line):
    """Notes what a file could not make for its training; raises any other problem."""
    if getattr(problem, "normscope_code", None) not in _NOT_THERE:
        raise problem
    assume(f"The file wants this for its training, and it was passed over: {problem}", file, line)


_NOT_THERE = ("trace/missing-package", "trace/unsupported-module", "trace/unsupported-call")


class _Trains:
    """Which statements of a file call backward, themselves or through what the file defines."""

    def __init__(self, tree):
        self.names = set()
        definitions = [it for it in tree.body if isinstance(it, (*_FUNCTIONS, ast.ClassDef))]
        grows = True
        while grows:
            found = {it.name for it in definitions if self._calls(it)}
            grows = not found <= self.names
            self.names |= found

    def in_statement(self, statement):
        if isinstance(statement, (*_FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)):
            return False
        return not _is_main_block(statement) and self._calls(statement)

    def _calls(self, node):
        return any(isinstance(it, ast.Call) and self._is_training(it.func) for it in ast.walk(node))

    def _is_training(self, function):
        if isinstance(function, ast.Attribute):
            return function.attr == "backward"
        # A class that trains does so where it is asked to, not where it is made.
        return isinstance(function, ast.Name) and function.id in self.names


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _is_main_block(statement):
    return isinstance(statement, ast.If) and any(
        isinstance(it, ast.Name) and it.id == "__name__" for it in ast.walk(statement.test)
    )


def _defines(statement):
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return not any(isinstance(it, ast.Call) for it in ast.walk(statement))
    kinds = (*_FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)
    return isinstance(statement, kinds) or _is_main_block(statement)

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
    wanted = _wanted_by_models(tree)
    assume(
        f"The file trains here where it is imported (lines {left[0].lineno} to {left[-1].end_lineno}): "
        "that was passed over, and only what defines something was run from here on",
        path,
        left[0].lineno,
    )
    guarded = [_if_there(it, _made_of(it, kept[at:]), wanted) for at, it in enumerate(kept)]
    tree.body = [*guarded, *(it for it in left[1:] if _defines(it))]
    return tree


def _if_there(statement, made, wanted):
    """The statement; where it makes something for the training of what is not there, nothing is made.

    `made` are the names that it and what follows from it bind, `wanted` those that models read.
    """
    if _defines(statement) or isinstance(statement, ast.ImportFrom):
        return statement
    text = _GUARD.format(line=statement.lineno, made=() if made & wanted else tuple(sorted(made)))
    guarded = ast.parse(text).body[0]
    ast.increment_lineno(guarded, statement.lineno - guarded.lineno)
    guarded.body = [statement]
    return ast.fix_missing_locations(guarded)


_GUARD = """
try: pass
except Exception as _problem: __import__("normscope_boot.training", fromlist=["_"]).pass_over(_problem, __file__, {line}, {made})
"""

# Names of files that were not made.
_unmade = set()


def pass_over(problem, file, line, made=()):
    """Notes what a file could not make for its training; raises any other problem.

    `made` are the names that this leaves unbound; none where models read them.
    """
    is_follow_up = isinstance(problem, NameError) and (file, problem.name) in _unmade
    is_of_data = bool(made) and (is_follow_up or isinstance(problem, FileNotFoundError))
    if not is_of_data and getattr(problem, "normscope_code", None) not in _NOT_THERE:
        raise problem
    _unmade.update((file, name) for name in made)
    assume(f"The file wants this for its training, and it was passed over: {problem}", file, line)


_NOT_THERE = ("trace/missing-package", "trace/unsupported-module", "trace/unsupported-call")


def _wanted_by_models(tree):
    """Names that classes with a forward read, and the functions and classes of the file that they use."""
    definitions = {it.name: it for it in tree.body if isinstance(it, (*_FUNCTIONS, ast.ClassDef))}
    left = [it for it in definitions.values() if _has_forward(it)]
    wanted = set()
    while left:
        new = _names(left.pop(), ast.Load) - wanted
        wanted |= new
        left += [definitions[name] for name in new if name in definitions]
    return wanted


def _has_forward(node):
    return isinstance(node, ast.ClassDef) and any(
        isinstance(it, ast.FunctionDef) and it.name == "forward" for it in node.body
    )


def _made_of(statement, statements):
    """Names that the statement binds, and those that the others bind with what it made."""
    made = _names(statement, ast.Store)
    for it in statements:
        if not _defines(it) and _names(it, ast.Load) & made:
            made |= _names(it, ast.Store)
    return made


def _names(node, kind):
    found = (it for it in ast.walk(node) if isinstance(it, ast.Name))
    return {it.id for it in found if isinstance(it.ctx, kind)}


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

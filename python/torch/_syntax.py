"""The syntax of the user's files, parsed once however often it is asked for: nobody changes the trees."""

import ast
import doctest
import functools
import inspect
import linecache
import sys
import textwrap
import warnings


def parsed(text, mode="exec"):
    """The tree of a text; what Python warns of is said where the file runs, not wherever it is read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode=mode)


@functools.lru_cache(maxsize=64)
def tree_of(file):
    """Without statements where there is no such file, or it is no Python."""
    try:
        return parsed("".join(linecache.getlines(file)))
    except SyntaxError:
        return ast.Module([], [])


def module_tree(module):
    return tree_of(getattr(module, "__file__", None) or "")


def class_body(cls):
    """`[class statement]`, dedented; [] where there is no source.

    A class that a decorator made and named after the one it stands for has that one's.
    """
    try:
        return parsed(textwrap.dedent(inspect.getsource(cls))).body
    except (OSError, TypeError, SyntaxError):
        named = _named_class(cls)
        return [named] if named else []


def class_line(cls):
    """The line that its statement begins at, decorators included; 1 where there is no source."""
    try:
        return inspect.getsourcelines(cls)[1]
    except (OSError, TypeError):
        named = _named_class(cls)
        return min(it.lineno for it in (named, *named.decorator_list)) if named else 1


def _named_class(cls):
    tree = module_tree(sys.modules.get(cls.__module__))
    classes = (it for it in statements_in(tree) if isinstance(it, ast.ClassDef))
    return next((it for it in classes if it.name == cls.__name__), None)


def shown_statements(holder):
    """The statements of the `>>>` lines in the docstring of a class or a function; [] without any."""
    doc = getattr(holder, "__doc__", None) or ""
    if ">>>" not in doc:
        return []
    try:
        shown = doctest.DocTestParser().get_examples(inspect.cleandoc(doc))
        return parsed("".join(it.source for it in shown)).body
    except (SyntaxError, ValueError):
        return []


# Of statements, and of the parts of `try` and `match` that hold some.
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def statements_in(node):
    """All statements within a node, outer ones first: a small part of what `ast.walk` goes through."""
    for block in _BLOCKS:
        for inner in getattr(node, block, ()):
            if isinstance(inner, ast.stmt):
                yield inner
            yield from statements_in(inner)


def choices_of(comparisons, is_meant):
    """What is meant to be one of several: texts that it is compared with, or whole numbers where there are two and more.

    In the order of the text. `is_meant(node)` says whether the left side of a comparison is it.
    """
    constants = [
        (node.value, compare.ops[0])
        for compare in sorted(comparisons, key=lambda it: (it.lineno, it.col_offset))
        if is_meant(compare.left)
        for side in compare.comparators
        for node in ast.walk(side)
        if isinstance(node, ast.Constant)
    ]
    texts = [value for value, _ in constants if isinstance(value, str)]
    whole = [it for it, op in constants if type(it) is int and isinstance(op, ast.Eq)]
    return texts or (whole if len(set(whole)) > 1 else [])


def choices_of_items(tree, is_meant):
    """The texts that loops over what is meant compare its items with, in the order of the text; [] where none do."""
    nodes = [*ast.walk(tree)]
    items = {it for node in nodes if isinstance(node, _LOOPS) for it in _items(node, is_meant)}
    comparisons = [it for it in nodes if isinstance(it, ast.Compare)] if items else []
    found = choices_of(comparisons, lambda it: getattr(it, "id", None) in items)
    return [it for it in dict.fromkeys(found) if isinstance(it, str)]


_LOOPS = (ast.For, ast.comprehension)


def _items(loop, is_meant):
    """Names that the loop has for the items: `for name in names`, `for layer, name in zip(layers, names)`."""
    over, target = loop.iter, loop.target
    called = getattr(over.func, "id", None) if isinstance(over, ast.Call) else None
    pairs = [(target, over)]
    if called in ("zip", "enumerate") and isinstance(target, ast.Tuple):
        targets = target.elts if called == "zip" else target.elts[1:]
        pairs = zip(targets, over.args)
    return [it.id for it, value in pairs if isinstance(it, ast.Name) and is_meant(value)]

"""The syntax of the user's files, parsed once however often it is asked for: nobody changes the trees."""

import ast
import functools
import linecache


@functools.lru_cache(maxsize=64)
def tree_of(file):
    """Without statements where there is no such file, or it is no Python."""
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return ast.Module([], [])


def module_tree(module):
    return tree_of(getattr(module, "__file__", None) or "")


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

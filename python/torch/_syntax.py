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

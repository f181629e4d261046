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
